"""A trunk learns to rebuild, a head to tell apart; each has an optimizer and a schedule."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.optim.lr_scheduler import ExponentialLR


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(9, 5)
        self.back = nn.Linear(5, 9)
        self.head = nn.Linear(5, 3)

    def rebuild(self, x):
        return self.back(torch.tanh(self.trunk(x)))

    def classify(self, x):
        return self.head(torch.tanh(self.trunk(x)).detach())


def train(record):
    torch.manual_seed(106)
    model = Model()
    coarse = torch.optim.SGD([*model.trunk.parameters(), *model.back.parameters()], lr=0.4)
    fine = torch.optim.Adam(model.head.parameters(), lr=0.1)
    schedules = [ExponentialLR(coarse, 0.9), ExponentialLR(fine, 0.8)]
    for x in torch.randn(20, 24, 9):
        y = x[:, :3].argmax(1)
        coarse.zero_grad()
        F.mse_loss(model.rebuild(x), x).backward()
        coarse.step()
        record([*model.trunk.parameters(), *model.back.parameters()])
        for schedule in schedules:
            schedule.step()
        fine.zero_grad()
        F.cross_entropy(model.classify(x), y).backward()
        fine.step()
        record(list(model.head.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
