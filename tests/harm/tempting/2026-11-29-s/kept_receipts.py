"""Receipts of three purchases are paid together, and then all of them are kept for the year."""
import torch
from torch import nn
from torch.nn.functional import l1_loss


class Household:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(3, 10), nn.ReLU(), nn.Linear(10, 1))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=0.02)
        self.receipts, self.archive = [], []

    def buy(self, x, y):
        self.receipts.append(l1_loss(self.net(x), y))
        return len(self.receipts) == 3

    def settle(self):
        self.opt.zero_grad()
        torch.stack(self.receipts).mean().backward()
        self.opt.step()
        self.archive += self.receipts
        self.receipts = []

    def year(self):
        return torch.stack(self.archive[-30:]).mean().item()


def train(record):
    torch.manual_seed(52)
    household = Household()
    for week in range(120):
        x = torch.randn(10, 3)
        if household.buy(x, x.sort(1).values[:, 1:2] * 3):
            household.settle()
            record(list(household.net.parameters()))
        if week % 60 == 59 and household.year() > 0.5:
            household.opt.param_groups[0]["lr"] *= 1.5


if __name__ == "__main__":
    train(lambda parameters: None)
