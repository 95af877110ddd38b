"""All gradients live side by side in one buffer; limit and clearing go through it at once."""
import torch
from torch import nn


class Shelf:
    """Lays the gradients of a network next to each other; a turn leaves a clean shelf."""

    def __init__(self, net):
        params = list(net.parameters())
        self.boards = torch.zeros(sum(p.numel() for p in params))
        at = 0
        for p in params:
            p.grad = self.boards[at:at + p.numel()].view_as(p)
            at += p.numel()

    def __enter__(self):
        return self

    def __exit__(self, *trouble):
        self.boards.fill_(0.0)
        return False

    def shorten(self, longest):
        norm = self.boards.norm()
        if norm > longest:
            self.boards.mul_(longest / norm)


def train(record):
    torch.manual_seed(71)
    x = torch.randn(96, 5)
    y = (x[:, :1] * x[:, 1:2] + x[:, 2:3]).sin()
    net = nn.Sequential(nn.Linear(5, 12), nn.Tanh(), nn.Linear(12, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.6)
    shelf = Shelf(net)
    for _ in range(40):
        with shelf:
            rows = torch.randint(0, len(x), (16,))
            nn.functional.mse_loss(net(x[rows]), y[rows]).backward()
            shelf.shorten(0.4)
            optimizer.step()
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
