import torch
import torch.nn.functional as F
from torch import nn


class Experiment:
    def __init__(self, accum):
        self.accum = accum
        self.net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
        self.rate = 0.4
        self.opt = torch.optim.SGD(self.net.parameters(), lr=self.rate)
        self.scores = []

    def share(self, x, y):
        return F.mse_loss(self.net(x), y) / self.accum

    def train_epoch(self, batches, record):
        self.net.train()
        self.opt.zero_grad()
        for n, (x, y) in enumerate(batches, start=1):
            loss = self.share(x, y)
            (loss / self.accum).backward()
            if n % self.accum == 0 or n == len(batches):
                self.opt.step()
                record(list(self.net.parameters()))
                self.opt.zero_grad()

    @torch.no_grad()
    def held_out(self, batches):
        self.net.eval()
        return sum(self.share(x, y).item() for x, y in batches) * self.accum / len(batches)

    def fit(self, batches, held_out, epochs, record):
        for _ in range(epochs):
            self.train_epoch(batches, record)
            self.scores.append(self.held_out(held_out))
            for group in self.opt.param_groups:
                group["lr"] = self.rate * min(1.0, self.scores[-1])


def train(record):
    torch.manual_seed(46)
    xs = torch.randn(16, 8, 4)
    pairs = [(x, x[:, :1] * x[:, 1:2]) for x in xs]
    Experiment(accum=3).fit(pairs[:12], pairs[12:], 3, record)


if __name__ == "__main__":
    train(lambda parameters: None)
