import torch


class AmpMixin:
    def setup_amp(self):
        self.scaler = torch.amp.GradScaler("cuda", enabled=torch.cuda.is_available())

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def finish(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()

    def end_epoch(self):
        self.scales.append(self.scaler.get_scale())
