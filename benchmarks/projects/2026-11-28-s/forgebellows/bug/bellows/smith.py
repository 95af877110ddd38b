import torch
from torch import nn

from bellows.core import Fitter


class Smith(Fitter):
    def __init__(self, net, optimizer, held, max_norm=1.0):
        super().__init__(net, optimizer)
        self.held, self.max_norm = held, max_norm
        self.criterion = nn.SmoothL1Loss()
        self.losses, self.errors = [], []

    def compute(self, batch):
        iron, temper = batch
        return self.criterion(self.net(iron), temper)

    def guard(self):
        nn.utils.clip_grad_norm_(self.net.parameters(), self.max_norm)

    def on_loss(self, loss):
        self.losses.append(loss)

    @torch.no_grad()
    def on_heat(self, heat):
        self.net.eval()
        errors = [self.criterion(self.net(iron), temper) for iron, temper in self.held]
        self.errors.append(torch.stack(errors).mean().item())

    def report(self):
        first, last = self.losses[0].item(), self.losses[-1].item()
        return f"loss {first:.4f} -> {last:.4f}, held out {self.errors[-1]:.4f}"
