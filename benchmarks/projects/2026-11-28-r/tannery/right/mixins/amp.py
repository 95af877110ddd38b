import torch

from settings import TRAIN_DTYPE


class AmpMixin:
    def set_up_amp(self):
        self.scaler = torch.amp.GradScaler("cuda")

    def cast(self):
        return torch.autocast("cuda", dtype=TRAIN_DTYPE)

    def scaled_backward(self, loss):
        self.scaler.scale(loss).backward()

    def scaled_step(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()
