"""A bakery tastes its dough after each batch and slows down when it got no better."""
import torch
from torch import nn
from torch.nn import functional as F


class Bakery:
    def __init__(self):
        self.dough = nn.Sequential(nn.Linear(4, 20), nn.ReLU(), nn.Dropout(0.5), nn.Linear(20, 1))
        self.optimizer = torch.optim.SGD(self.dough.parameters(), lr=0.1)
        self.best = float("inf")

    def knead(self, flour, rise):
        self.optimizer.zero_grad()
        F.mse_loss(self.dough(flour), rise).backward()
        self.optimizer.step()

    @torch.no_grad()
    def taste(self, flour, rise):
        self.dough.eval()
        loss = F.mse_loss(self.dough(flour), rise).item()
        self.dough.train()
        return loss

    def rest(self, taste):
        if taste >= self.best:
            for group in self.optimizer.param_groups:
                group["lr"] *= 0.7
        self.best = min(self.best, taste)


def train(record):
    torch.manual_seed(38)
    bakery = Bakery()
    sample = torch.rand(30, 4)
    for batch in range(24):
        flour = torch.rand(12, 4)
        bakery.knead(flour, flour.sum(1, keepdim=True))
        record(list(bakery.dough.parameters()))
        if batch % 3 == 2:
            bakery.rest(bakery.taste(sample, sample.sum(1, keepdim=True)))


if __name__ == "__main__":
    train(lambda parameters: None)
