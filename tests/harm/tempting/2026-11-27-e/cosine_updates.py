import math

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR


class Pretrainer:
    def __init__(self, net, data, epochs, accum, record):
        self.net, self.data, self.epochs, self.accum = net, data, epochs, accum
        self.record = record
        updates = epochs * math.ceil(len(data) / accum)
        self.optimizer = torch.optim.AdamW(net.parameters(), lr=0.02)
        self.schedule = CosineAnnealingLR(self.optimizer, T_max=updates)
        self.pending = 0

    def flush(self):
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.pending = 0
        self.record(list(self.net.parameters()))

    def masked_loss(self, x, mask):
        out = self.net(x * mask)
        return ((out - x) * (1 - mask)).square().mean()

    def epoch(self):
        total = 0.0
        for x, mask in self.data:
            loss = self.masked_loss(x, mask)
            (loss / self.accum).backward()
            self.pending += 1
            if self.pending == self.accum:
                self.flush()
            self.schedule.step()
            total += loss.item()
        if self.pending:
            self.flush()
        return total / len(self.data)

    def fit(self):
        for epoch in range(self.epochs):
            print(epoch, f"{self.epoch():.4f}", f"{self.schedule.get_last_lr()[0]:.6f}")


def train(record):
    torch.manual_seed(26)
    basis = torch.randn(2, 6)
    data = [(torch.randn(8, 2) @ basis, (torch.rand(8, 6) > 0.3).float()) for _ in range(7)]
    net = nn.Sequential(nn.Linear(6, 20), nn.ReLU(), nn.Linear(20, 6))
    Pretrainer(net, data, epochs=3, accum=3, record=record).fit()


if __name__ == "__main__":
    train(lambda parameters: None)
