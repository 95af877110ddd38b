"""A horse under a loss scale; the bridle is as tight as the last pulls were strong."""
import torch
from torch import nn


class Rider:
    def __init__(self, record):
        self.horse = nn.Sequential(nn.Linear(4, 10), nn.ReLU(), nn.Linear(10, 1))
        self.opt = torch.optim.SGD(self.horse.parameters(), lr=0.04, momentum=0.7)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=512.0, growth_interval=8)
        self.bridle, self.bolted = 0.4, 0
        self.record = record

    def pull(self, x, y):
        self.opt.zero_grad()
        loss = nn.functional.mse_loss(self.horse(x), y)
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.opt)
        if (pulled := nn.utils.clip_grad_norm_(self.horse.parameters(), self.bridle).item()) > 2 * self.bridle:
            self.bolted += 1
        self.scaler.step(self.opt)
        self.record(list(self.horse.parameters()))
        self.bridle = 0.9 * self.bridle + 0.1 * min(pulled, 1.0)
        self.scaler.update()
        return loss.item()


def train(record):
    torch.manual_seed(1866)
    rider = Rider(record)
    for _ in range(40):
        x = torch.randn(12, 4)
        if rider.pull(x, 4 * x[:, :1] - x[:, 1:].prod(1, keepdim=True)) < 1e-3:
            break


if __name__ == "__main__":
    train(lambda parameters: None)
