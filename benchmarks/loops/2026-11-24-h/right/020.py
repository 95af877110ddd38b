from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset


@dataclass(frozen=True)
class Recipe:
    epochs: int = 4
    lr: float = 0.1
    gamma: float = 0.3


class Fitter:
    def __init__(self, net, recipe: Recipe):
        self.net, self.recipe = net, recipe
        self.opt = optim.SGD(net.parameters(), lr=recipe.lr)
        self.sched = optim.lr_scheduler.ExponentialLR(self.opt, recipe.gamma)
        self.epoch = -1

    def begin_epoch(self):
        self.epoch += 1
        if self.epoch > 0:
            self.sched.step()
        self.net.train()

    def learn(self, xb, yb):
        self.opt.zero_grad()
        loss = nn.functional.cross_entropy(self.net(xb), yb)
        loss.backward()
        self.opt.step()
        return float(loss)

    def __call__(self, loader):
        for _ in range(self.recipe.epochs):
            self.begin_epoch()
            mean = sum(self.learn(*b) for b in loader) / len(loader)
            print(f"epoch {self.epoch} lr {self.sched.get_last_lr()[0]:.4f} loss {mean:.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(100, 2)
    y = (x[:, 0] * x[:, 1] > 0).long()
    net = nn.Sequential(nn.Linear(2, 20), nn.ReLU(), nn.Linear(20, 2))
    Fitter(net, Recipe())(DataLoader(TensorDataset(x, y), batch_size=20, shuffle=True))
