import torch
from torch import nn

ACCUM = 4


def shards(seed, sizes=(3, 4, 3)):
    rng = torch.Generator().manual_seed(seed)
    for size in sizes:
        for _ in range(size):
            x = torch.randn(8, 3, generator=rng)
            yield x, x.amax(1, keepdim=True)


class Learner:
    def __init__(self, record):
        self.net = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.record = record

    def update(self):
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.opt.step()
        self.opt.zero_grad()
        self.record(list(self.net.parameters()))

    def epoch(self, stream):
        seen, total = 0, 0.0
        for n, (x, y) in enumerate(stream, start=1):
            loss = nn.functional.mse_loss(self.net(x), y)
            (loss / ACCUM).backward()
            seen, total = n, total + loss.item()
            if n % ACCUM == 0:
                self.update()
        return total / seen


def train(record):
    torch.manual_seed(13)
    learner = Learner(record)
    for epoch in range(3):
        print(epoch, f"{learner.epoch(shards(epoch)):.5f}")


if __name__ == "__main__":
    train(lambda parameters: None)
