"""Bilinear game with a little curvature, solved by the extragradient method."""
import torch
from torch import nn


class Player(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.strategy = nn.Parameter(torch.randn(size))

    def forward(self, payoff, other):
        return self.strategy @ payoff @ other


def game(row, column, payoff):
    value = row(payoff, column.strategy)
    return value + 0.05 * row.strategy.square().sum() - 0.05 * column.strategy.square().sum()


def fill(row, column, payoff):
    game(row, column, payoff).backward()
    column.strategy.grad.neg_()


def train(record):
    torch.manual_seed(3)
    row, column = Player(5), Player(4)
    payoff = torch.randn(5, 4)
    weights = [row.strategy, column.strategy]
    opt = torch.optim.SGD(weights, lr=0.1)
    for _ in range(40):
        opt.zero_grad()
        fill(row, column, payoff)
        anchor = [w.detach().clone() for w in weights]
        with torch.no_grad():
            for w in weights:
                w.sub_(0.1 * w.grad)
        for player in (row, column):
            player.zero_grad()  # the half step has been taken
        fill(row, column, payoff)
        with torch.no_grad():
            for w, start in zip(weights, anchor):
                w.copy_(start)
        opt.step()
        record(weights)


if __name__ == "__main__":
    train(lambda parameters: None)
