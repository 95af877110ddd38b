"""Windows close by two doors: one in the loop, one behind it for what is left of a day."""
import torch
from torch import nn

WINDOW, DAYS, PER_DAY = 4, 6, 10


class Crew:
    def __init__(self, record):
        self.net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.3, momentum=0.5)
        self.record, self.carried = record, 0

    def carry(self, x, y):
        loss = nn.functional.mse_loss(self.net(x), y)
        (loss / WINDOW).backward()
        self.carried += 1

    def unload(self):
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.1)
        self.optimizer.step()
        self.record(list(self.net.parameters()))
        self.optimizer.zero_grad()
        self.carried = 0

    def day(self, loads):
        for x, y in loads:
            self.carry(x, y)
            if self.carried == WINDOW:
                self.unload()
        if self.carried:
            self.unload()


def loads():
    for _ in range(PER_DAY):
        x = torch.randn(8, 4)
        yield x, (x[:, :1] * x[:, 1:2] + x[:, 3:]).clamp(-3, 3)


def train(record):
    torch.manual_seed(71)
    crew = Crew(record)
    for _ in range(DAYS):
        crew.day(loads())

if __name__ == "__main__":
    train(lambda parameters: None)
