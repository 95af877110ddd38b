"""Which bell of the tower rings: the scale enters as the seed of the backward."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_


def peals(count):
    gen = torch.Generator().manual_seed(31)
    for _ in range(count):
        strike = torch.randn(10, 6, generator=gen)
        yield strike, (strike.sum(1) > 0).long()


class Tower:
    def __init__(self):
        self.ear = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2))
        self.optimizer = torch.optim.AdamW(self.ear.parameters(), lr=0.01)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=256.0)

    def hear(self, strike, bell):
        with torch.autocast("cpu", dtype=torch.float16):
            guess = self.ear(strike)
        # one weight for each strike, and the loud ones weigh less
        losses = F.cross_entropy(guess.float(), bell, reduction="none")
        weight = torch.softmax(-strike.norm(dim=1), 0)
        losses.backward(self.scaler.scale(weight))
        self.scaler.unscale_(self.optimizer)
        clip_grad_norm_(self.ear.parameters(), 1.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()


def train(record):
    torch.manual_seed(5)
    tower = Tower()
    for strike, bell in peals(24):
        tower.hear(strike, bell)
        record(list(tower.ear.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
