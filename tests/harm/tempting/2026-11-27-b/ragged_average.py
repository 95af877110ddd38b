import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def average_(weights, seen):
    for w in weights:
        if w.grad is not None:
            w.grad.div_(seen)


def ragged_batches(x, y, sizes):
    return list(zip(x.split(sizes), y.split(sizes)))


class Fitter:
    def __init__(self, net, every):
        self.net, self.every = net, every
        self.weights = [p for p in net.parameters() if p.requires_grad]
        self.opt = torch.optim.SGD(self.weights, lr=0.2)
        self.sq = nn.MSELoss(reduction="sum")

    def close(self, seen, record):
        average_(self.weights, seen)
        clip_grad_norm_(self.weights, 2.0)
        self.opt.step()
        record(self.weights)
        self.opt.zero_grad()
        return 0

    def epoch(self, batches, record):
        seen, error = 0, 0.0
        for k, (x, y) in enumerate(batches, 1):
            loss = self.sq(self.net(x), y)
            loss.backward()
            error += loss.item()
            seen += len(x)
            if not k % self.every:
                seen = self.close(seen, record)
        if seen:
            self.close(seen, record)
        return error


def train(record):
    torch.manual_seed(21)
    net = nn.Sequential(nn.Linear(5, 10), nn.Tanh(), nn.Linear(10, 1))
    x = torch.randn(70, 5)
    y = x.abs().sum(1, keepdim=True) - 4
    fitter = Fitter(net, every=3)
    batches = ragged_batches(x, y, [8, 12, 4, 10, 6, 14, 9, 7])
    for _ in range(3):
        print(fitter.epoch(batches, record) / len(x))


if __name__ == "__main__":
    train(lambda parameters: None)
