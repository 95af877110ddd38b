import torch
from torch import nn


class Trainer:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=1e-2)

    @torch.no_grad()
    def evaluate(self, x, y):
        was = self.model.training
        self.model.eval()
        err = (self.model(x).squeeze(1) - y).abs().mean().item()
        self.model.train(was)
        return err

    def fit(self, x, y, epochs):
        self.model.train()
        for e in range(epochs):
            for k in range(0, len(x), 10):
                self.opt.zero_grad()
                nn.functional.mse_loss(self.model(x[k : k + 10]).squeeze(1), y[k : k + 10]).backward()
                self.opt.step()
            print(e, self.evaluate(x, y))


torch.manual_seed(11)
x = torch.randn(40, 3)
Trainer(nn.Sequential(nn.Linear(3, 16), nn.Dropout(0.3), nn.ReLU(), nn.Linear(16, 1))).fit(x, x.sum(1), 3)
