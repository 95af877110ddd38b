import torch
from torch import nn


def stream(batches, seed):
    generator = torch.Generator().manual_seed(seed)
    mixing = torch.randn(5, 2, generator=torch.Generator().manual_seed(0))
    for _ in range(batches):
        x = torch.randn(10, 5, generator=generator)
        yield x, x @ mixing


class StreamLearner:
    def __init__(self, window, record):
        self.net = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 2))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1, momentum=0.9)
        self.window, self.record = window, record
        self.opt.zero_grad()

    def apply(self):
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.opt.step()
        self.record(list(self.net.parameters()))
        self.opt.zero_grad()

    def consume(self, source):
        total = 0.0
        for n, (x, y) in enumerate(source, start=1):
            loss = nn.functional.mse_loss(self.net(x), y)
            (loss / self.window).backward()
            total += loss.item()
            if n % self.window == 0:
                self.apply()
        return total / n


def train(record):
    torch.manual_seed(33)
    learner = StreamLearner(window=4, record=record)
    for epoch in range(3):
        print(epoch, learner.consume(stream(10, seed=epoch)))


if __name__ == "__main__":
    train(lambda parameters: None)
