from itertools import islice

import torch
from torch import nn


class Forecaster:
    def __init__(self, net, data, lr=1e-3, accumulate=4):
        self.net, self.data = net, data
        self.accumulate = accumulate
        self.optimizer = torch.optim.Adam(net.parameters(), lr=lr)
        self.scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(self.optimizer, factor=0.3)
        self.criterion = nn.SmoothL1Loss(beta=0.1)

    def epoch(self):
        self.net.train()
        loader = self.data.train_dataloader()
        whole = self.accumulate * (len(loader) // self.accumulate)
        total = 0.0
        for i, (past, future) in enumerate(islice(loader, whole), start=1):
            loss = self.criterion(self.net(past), future)
            (loss / self.accumulate).backward()
            total += loss.item()
            if i % self.accumulate == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
        return total / whole

    def validate(self):
        self.net.eval()
        with torch.no_grad():
            losses = [self.criterion(self.net(p), f).item() for p, f in self.data.val_dataloader()]
        return sum(losses) / len(losses)

    def fit(self, epochs):
        for number in range(epochs):
            train_loss = self.epoch()
            val_loss = self.validate()
            self.scheduler.step(val_loss)
            print(f"{number:03d} {train_loss:.5f} {val_loss:.5f}")
