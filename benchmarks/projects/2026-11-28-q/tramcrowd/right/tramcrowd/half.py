import torch


class Half:
    def __init__(self):
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.scaler = torch.amp.GradScaler("cuda")

    def cast(self):
        return torch.autocast(self.device, dtype=torch.float16, enabled=self.scaler.is_enabled())

    def push(self, optimizer):
        self.scaler.step(optimizer)
        self.settle()

    def settle(self):
        self.scaler.update()
