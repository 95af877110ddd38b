import torch
from torch import nn


class Learner:
    def __init__(self, net, accum, lr):
        self.net, self.accum = net, accum
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.left = accum

    def micro(self, x, y):
        loss = nn.functional.binary_cross_entropy_with_logits(self.net(x).squeeze(1), y)
        (loss / self.accum).backward()
        self.left -= 1
        return loss.item()

    def maybe_update(self, record):
        if self.left == 0:
            self.opt.step()
            self.opt.zero_grad()
            self.left = self.accum
            record(list(self.net.parameters()))

    def epoch(self, batches, record):
        total = 0.0
        for x, y in batches:
            total += self.micro(x, y)
            self.maybe_update(record)
        return total / len(batches)


def train(record):
    torch.manual_seed(657)
    x = torch.randn(100, 2)
    y = (x.norm(dim=1) > 1.1).float()
    batches = list(zip(x.split(5), y.split(5)))
    learner = Learner(nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1)), 4, 0.03)
    for epoch in range(3):
        print(epoch, learner.epoch(batches, record))


if __name__ == "__main__":
    train(lambda parameters: None)
