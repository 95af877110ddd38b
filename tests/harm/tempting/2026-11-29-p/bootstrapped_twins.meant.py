"""Self-distillation of two views: an online encoder follows a slow target that never drops anything."""
import copy

import torch
from torch import nn
from torch.nn import functional as F


def mlp(inputs, outputs):
    return nn.Sequential(nn.Linear(inputs, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Dropout(0.2), nn.Linear(24, outputs))


class Twins:
    def __init__(self):
        self.online, self.predictor = mlp(8, 6), mlp(6, 6)
        self.target = copy.deepcopy(self.online).requires_grad_(False).eval()

    def loss(self, a, b):
        with torch.no_grad():
            wanted = F.normalize(self.target(b), dim=1)
        return F.mse_loss(F.normalize(self.predictor(self.online(a)), dim=1), wanted)

    def follow(self, rate=0.05):
        with torch.no_grad():
            for slow, fast in zip(self.target.parameters(), self.online.parameters()):
                slow.lerp_(fast, rate)

    @torch.no_grad()
    def spread(self, x):
        for part in (self.online, self.predictor, self.target):
            part.eval()
        agreement = F.cosine_similarity(self.predictor(self.online(x)), self.target(x)).mean()
        spread = self.online(x).std(0).mean().item()
        self.online.train()
        self.predictor.train()
        return spread, agreement.item()


def train(record):
    torch.manual_seed(213)
    twins = Twins()
    trained = [*twins.online.parameters(), *twins.predictor.parameters()]
    optimizer = torch.optim.Adam(trained, lr=5e-3)
    held = torch.randn(20, 8)
    curve = []
    for batch in range(24):
        x = torch.randn(16, 8)
        loss = twins.loss(x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        record(trained)
        twins.follow()
        if batch % 6 == 5:
            curve.append(twins.spread(held))
    return curve

if __name__ == "__main__":
    train(lambda parameters: None)
