import torch
from torch import nn


def make(i, o):
    return nn.Sequential(nn.Linear(i, 20), nn.SELU(), nn.Linear(20, o))


class Adversary:
    def __init__(self, parts=3):
        self.parts = parts
        self.gen, self.dis = make(2, 4), make(4, 1)
        self.g_opt = torch.optim.RMSprop(self.gen.parameters(), lr=2e-3)
        self.d_opt = torch.optim.RMSprop(self.dis.parameters(), lr=2e-3)

    def parameters(self):
        return [*self.gen.parameters(), *self.dis.parameters()]

    def hinge(self, real):
        noise = torch.randn(len(real), 2)
        with torch.no_grad():
            fake = self.gen(noise)
        return (1 - self.dis(real)).relu().mean() + (1 + self.dis(fake)).relu().mean()

    def iterate(self, reals, record):
        self.d_opt.zero_grad()
        for real in reals.chunk(self.parts):
            loss = self.hinge(real) / self.parts
            loss.backward()
        self.d_opt.step()
        record(self.parameters())

        self.g_opt.zero_grad()
        for _ in range(self.parts):
            score = self.dis(self.gen(torch.randn(8, 2))).mean()
            (-score / self.parts).backward()
        self.g_opt.step()
        record(self.parameters())


def train(record):
    torch.manual_seed(50)
    adversary = Adversary()
    target = torch.randn(4, 4)
    for epoch in range(2):
        for _ in range(6):
            adversary.iterate(torch.randn(24, 4) @ target, record)


if __name__ == "__main__":
    train(lambda parameters: None)
