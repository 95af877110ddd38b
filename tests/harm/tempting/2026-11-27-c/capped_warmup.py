import torch
from torch import nn


def linear_cap(done, horizon, high=2.0, low=0.2):
    return low + (high - low) * max(0.0, 1 - done / horizon)


class Session:
    def __init__(self, record):
        torch.manual_seed(73)
        self.net = nn.Sequential(nn.Linear(5, 32), nn.Softplus(), nn.Linear(32, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.2, momentum=0.8)
        self.record = record
        self.norms = []
        self.done = 0

    def data(self, n):
        for _ in range(n):
            x = torch.randn(12, 5)
            yield x, 3 * x[:, :1] * x[:, 1:2]

    def run(self, epochs, per_epoch=7):
        horizon = epochs * per_epoch
        for epoch in range(epochs):
            for x, y in self.data(per_epoch):
                self.opt.zero_grad()
                loss = nn.functional.l1_loss(self.net(x), y)
                loss.backward()
                self.opt.step()
                self.record(list(self.net.parameters()))
                cap = linear_cap(self.done, horizon)
                norm = nn.utils.clip_grad_norm_(self.net.parameters(), cap)
                self.norms.append((cap, norm.item()))
                self.done += 1


def train(record):
    Session(record).run(2)


if __name__ == "__main__":
    train(lambda parameters: None)
