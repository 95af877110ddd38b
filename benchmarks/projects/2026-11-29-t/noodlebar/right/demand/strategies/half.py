import torch

from .plain import PlainStrategy


class HalfStrategy(PlainStrategy):
    def __init__(self, optimizer):
        super().__init__(optimizer)
        self.scaler = torch.amp.GradScaler("cuda")

    def forward(self):
        return torch.autocast("cuda", dtype=torch.float16)

    def backward(self, loss):
        super().backward(self.scaler.scale(loss))

    def step(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
