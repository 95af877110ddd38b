import torch

from .base import Strategy


class HalfStrategy(Strategy):
    def __init__(self, optimizer):
        super().__init__(optimizer)
        self.scaler = torch.amp.GradScaler("cuda")
        self.scales = []

    def begin(self, i):
        self.optimizer.zero_grad()

    def cast(self):
        return torch.autocast("cuda", dtype=torch.float16)

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def step(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def end_epoch(self):
        self.scales.append(self.scaler.get_scale())
