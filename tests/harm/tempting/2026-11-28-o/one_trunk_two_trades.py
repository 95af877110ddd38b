"""Two trades on one trunk; each has an optimizer over the trunk and its own head."""
import torch
from torch import nn


class Trade:
    def __init__(self, trunk, outputs, criterion, lr):
        self.head = nn.Linear(10, outputs)
        self.net = nn.Sequential(trunk, self.head)
        self.criterion = criterion
        self.opt = torch.optim.SGD(self.net.parameters(), lr=lr)

    def study(self, x, y):
        loss = self.criterion(self.net(x), y)
        loss.backward()
        return loss.item()


def train(record):
    torch.manual_seed(187)
    trunk = nn.Sequential(nn.Linear(5, 10), nn.ReLU())
    smith = Trade(trunk, 1, nn.MSELoss(), lr=0.1)
    clerk = Trade(trunk, 3, nn.CrossEntropyLoss(), lr=0.2)
    diary = []
    for day in range(30):
        x = torch.randn(16, 5)
        heat, desk = x.pow(2).mean(1, keepdim=True), x[:, :3].argmax(1)
        smith.opt.zero_grad()
        diary.append(smith.study(x, heat))
        clerk.opt.zero_grad()
        smith.opt.step()
        record(list(smith.net.parameters()))
        diary.append(clerk.study(x, desk))
        clerk.opt.step()
        record(list(clerk.net.parameters()))
    return diary


if __name__ == "__main__":
    train(lambda parameters: None)
