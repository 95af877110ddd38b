import torch
import torch.nn as nn
import torch.nn.functional as F


class Experiment:
    def __init__(self, patience=2):
        torch.manual_seed(21)
        self.net = nn.Sequential(
            nn.Conv2d(1, 6, 3), nn.BatchNorm2d(6), nn.ReLU(), nn.Flatten(), nn.LazyLinear(3)
        )
        self.train_x, self.train_y = torch.randn(48, 1, 8, 8), torch.randint(0, 3, (48,))
        self.val_x, self.val_y = torch.randn(16, 1, 8, 8), torch.randint(0, 3, (16,))
        self.net(self.train_x[:2])
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.01, nesterov=True, momentum=0.9)
        self.patience = patience

    def fit_epoch(self):
        for idx in torch.randperm(48).split(16):
            self.optimizer.zero_grad()
            F.cross_entropy(self.net(self.train_x[idx]), self.train_y[idx]).backward()
            self.optimizer.step()

    def score(self):
        self.net.eval()
        with torch.no_grad():
            return F.cross_entropy(self.net(self.val_x), self.val_y).item()

    def run(self, max_epochs=8):
        best, bad = float("inf"), 0
        for epoch in range(max_epochs):
            self.fit_epoch()
            val = self.score()
            print(epoch, val)
            bad = 0 if val < best else bad + 1
            best = min(best, val)
            if bad > self.patience:
                break


Experiment().run()
