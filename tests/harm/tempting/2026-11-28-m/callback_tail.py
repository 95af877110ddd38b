"""A loop with callbacks; one of them decides when the optimizer moves."""
import torch
from torch import nn


class Callback:
    def on_batch_end(self, loop): ...

    def on_epoch_end(self, loop): ...


class Accumulate(Callback):
    def __init__(self, window):
        self.window, self.pending = window, 0

    def on_batch_end(self, loop):
        self.pending += 1
        if self.pending == self.window:
            loop.move()
            self.pending = 0

    def on_epoch_end(self, loop):
        self.pending = 0


class Loop:
    def __init__(self, net, callbacks, share, record):
        self.net, self.callbacks, self.share, self.record = net, callbacks, share, record
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)

    def move(self):
        self.opt.step()
        self.record(list(self.net.parameters()))
        self.opt.zero_grad()

    def run(self, epochs, batches):
        for epoch in range(epochs):
            for x, y in batches(epoch):
                (nn.functional.mse_loss(self.net(x), y) * self.share).backward()
                for callback in self.callbacks:
                    callback.on_batch_end(self)
            for callback in self.callbacks:
                callback.on_epoch_end(self)


def batches(epoch):
    generator = torch.Generator().manual_seed(epoch)
    for _ in range(10):
        x = torch.randn(6, 3, generator=generator)
        yield x, x.abs().sum(1, keepdim=True)


def train(record):
    torch.manual_seed(97)
    net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
    Loop(net, [Accumulate(4)], 1 / 4, record).run(3, batches)


if __name__ == "__main__":
    train(lambda parameters: None)
