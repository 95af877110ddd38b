import copy

import torch
from torch import nn


class EarlyStopper:
    def __init__(self, model, patience=3):
        self.model, self.patience = model, patience
        self.best, self.wait, self.weights = float("inf"), 0, None

    def score(self, x, y):
        self.model.eval()
        pred = self.model(x)
        self.model.train()
        return (pred - y).abs().mean().item()

    def stop(self, x, y):
        value = self.score(x, y)
        if value < self.best:
            self.best, self.wait = value, 0
            self.weights = copy.deepcopy(self.model.state_dict())
        else:
            self.wait += 1
        return self.wait >= self.patience


x = torch.rand(200, 5)
y = (x[:, :1] * x[:, 1:2]).sqrt()
model = nn.Sequential(nn.Linear(5, 32), nn.Dropout(0.1), nn.Softplus(), nn.Linear(32, 1))
opt = torch.optim.Rprop(model.parameters(), lr=1e-3)
stopper = EarlyStopper(model)
for epoch in range(30):
    opt.zero_grad()
    loss = (model(x[:160]) - y[:160]).abs().mean()
    loss.backward()
    opt.step()
    if stopper.stop(x[160:], y[160:]):
        print("stopped at", epoch)
        break
model.load_state_dict(stopper.weights)
