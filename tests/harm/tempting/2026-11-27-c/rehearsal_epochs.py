import torch
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR


class Continual:
    def __init__(self, classes, record):
        self.net = nn.Sequential(nn.Linear(5, 20), nn.ReLU(), nn.Linear(20, classes))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.3)
        self.decay = ExponentialLR(self.opt, gamma=0.6)
        self.memory = []
        self.record = record

    def learn(self, x, y):
        self.opt.zero_grad()
        nn.functional.cross_entropy(self.net(x), y).backward()
        self.opt.step()
        self.record(list(self.net.parameters()))

    def fit(self, stream, epochs):
        for epoch in range(epochs):
            self.decay.step()
            for x, y in stream:
                self.learn(x, y)
                if epoch == 0:
                    self.memory.append((x[:4], y[:4]))
            if epoch % 2 == 0:
                continue
            for x, y in self.memory:
                self.learn(x, y)


def train(record):
    torch.manual_seed(111)
    stream = [(torch.randn(12, 5), torch.randint(0, 4, (12,))) for _ in range(5)]
    Continual(4, record).fit(stream, 3)


if __name__ == "__main__":
    train(lambda parameters: None)
