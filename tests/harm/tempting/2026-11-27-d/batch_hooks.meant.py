import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR


class Trainer:
    def __init__(self, net, accum, updates):
        self.net, self.accum = net, accum
        self.opt = torch.optim.SGD(net.parameters(), lr=0.3)
        self.sched = CosineAnnealingLR(self.opt, T_max=updates)
        self.seen = 0
        self.losses = []

    def end_batch(self, loss):
        self.losses.append(loss.item())
        self.seen += 1

    def end_window(self, record):
        self.opt.step()
        record(list(self.net.parameters()))
        self.sched.step()
        self.opt.zero_grad()

    def batch_loss(self, x, y):
        jitter = 0.5 / (1 + self.seen)
        return F.mse_loss(self.net(x * (1 + jitter)), y)

    def fit(self, batches, epochs, record):
        for _ in range(epochs):
            for x, y in batches:
                loss = self.batch_loss(x, y)
                (loss / self.accum).backward()
                if (self.seen + 1) % self.accum == 0:
                    self.end_window(record)
                self.end_batch(loss)


def train(record):
    torch.manual_seed(42)
    xs = torch.randn(12, 8, 3)
    batches = [(x, x.sin().mean(1, keepdim=True)) for x in xs]
    net = nn.Sequential(nn.Linear(3, 14), nn.Tanh(), nn.Linear(14, 1))
    trainer = Trainer(net, accum=4, updates=9)
    trainer.fit(batches, 3, record)


if __name__ == "__main__":
    train(lambda parameters: None)
