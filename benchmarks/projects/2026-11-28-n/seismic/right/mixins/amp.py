import torch


class AmpMixin:
    def start_amp(self):
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.scaler = torch.amp.GradScaler("cuda", enabled=self.device == "cuda")

    def cast(self):
        return torch.autocast(self.device, dtype=torch.float16, enabled=self.device == "cuda")

    def commit(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
