import copy

import torch
from torch import nn


class EarlyStopping:
    def __init__(self, patience):
        self.patience, self.bad, self.best, self.state = patience, 0, float("inf"), None

    def __call__(self, value, model):
        if value < self.best - 1e-4:
            self.best, self.bad, self.state = value, 0, copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience


class Regressor:
    def __init__(self, d):
        self.net = nn.Sequential(nn.Linear(d, 24), nn.ELU(), nn.Dropout(0.2), nn.Linear(24, 1))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=5e-3)

    def score(self, X, y, bs=25):
        self.net.eval()
        errs = [
            (self.net(X[i : i + bs]).squeeze(1) - y[i : i + bs]).abs().mean().item()
            for i in range(0, len(X), bs)
        ]
        return sum(errs) / len(errs)

    def fit(self, X, y, Xv, yv, epochs=15):
        stopper = EarlyStopping(patience=3)
        for epoch in range(epochs):
            self.net.train()
            for idx in torch.randperm(len(X)).split(20):
                self.opt.zero_grad()
                nn.functional.mse_loss(self.net(X[idx]).squeeze(1), y[idx]).backward()
                self.opt.step()
            mae = self.score(Xv, yv)
            if stopper(mae, self.net):
                break
        self.net.load_state_dict(stopper.state)
        return epoch, stopper.best


torch.manual_seed(34)
X = torch.randn(150, 4)
y = X.prod(dim=1)
print(Regressor(4).fit(X[:100], y[:100], X[100:], y[100:]))
