"""A small trainer with callbacks; the teacher follows every batch, the rate every update."""
import copy

import torch
from torch import nn


class Callback:
    def on_batch_end(self, trainer): ...
    def on_update_end(self, trainer): ...


class MeanTeacher(Callback):
    def __init__(self, net, decay=0.9):
        self.net, self.decay = copy.deepcopy(net).requires_grad_(False), decay
        self.noise = 0.3

    @torch.no_grad()
    def on_batch_end(self, trainer):
        for slow, fast in zip(self.net.parameters(), trainer.net.parameters()):
            slow.lerp_(fast, 1 - self.decay)
        self.noise *= 0.98

    def on_update_end(self, trainer):
        trainer.schedule.step()


class Trainer:
    def __init__(self, net, updates, accum):
        self.net, self.accum = net, accum
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        self.schedule = torch.optim.lr_scheduler.LinearLR(
            self.optimizer, start_factor=1.0, end_factor=0.05, total_iters=updates
        )
        self.teacher = MeanTeacher(net)
        self.callbacks = [self.teacher]

    def fire(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def fit(self, updates, stream, record):
        for _ in range(updates):
            for _ in range(self.accum):
                x, y = next(stream)
                loss = nn.functional.mse_loss(self.net(x), y)
                wobbly = x + self.teacher.noise * torch.randn_like(x)
                loss = loss + nn.functional.mse_loss(self.net(wobbly), self.teacher.net(x))
                (loss / self.accum).backward()
                self.fire("on_batch_end")
            self.optimizer.step()
            record(list(self.net.parameters()))
            self.optimizer.zero_grad()
            self.fire("on_update_end")
        print(f"{loss.item():.4f}", self.schedule.get_last_lr())


def train(record):
    torch.manual_seed(4)
    draws = (torch.randn(8, 6) for _ in iter(int, 1))
    stream = ((x, x.sin().mean(1, keepdim=True)) for x in draws)
    Trainer(nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 1)), 10, 4).fit(10, stream, record)


if __name__ == "__main__":
    train(lambda parameters: None)
