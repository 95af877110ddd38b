import torch
from torch import nn


class Trainer:
    def __init__(self, accumulation=4):
        torch.manual_seed(0)
        self.accumulation = accumulation
        self.net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.05)
        self.micro = 0

    def step(self, x, y):
        loss = nn.functional.cross_entropy(self.net(x), y)
        loss.backward()
        self.micro += 1
        if self.micro % self.accumulation == 0:
            self.opt.step()
            self.opt.zero_grad()
        return loss.item()

    def train(self, n):
        while self.micro < n:
            x = torch.randn(16, 4)
            value = self.step(x, (x[:, 0] > x[:, 3]).long())
            if self.micro % 12 == 0:
                print(self.micro, value)


if __name__ == "__main__":
    Trainer().train(48)
