from dataclasses import dataclass

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Settings:
    lr: float = 0.05
    epochs: int = 2
    max_norm: float = 0.5
    batch: int = 16


class HousePriceTrainer:
    def __init__(self, net, cfg):
        self.net, self.cfg = net, cfg
        self.opt = optim.SGD(net.parameters(), lr=cfg.lr, momentum=0.9)
        self.norms = []

    def limit_gradients(self):
        norm = nn.utils.clip_grad_norm_(self.net.parameters(), self.cfg.max_norm)
        self.norms.append(float(norm))

    def on_batch_end(self):
        self.limit_gradients()
        self.opt.zero_grad()

    def training_step(self, features, price):
        loss = nn.functional.huber_loss(self.net(features).squeeze(1), price)
        loss.backward()
        self.opt.step()
        return loss.item()

    def fit(self, loader):
        for epoch in range(self.cfg.epochs):
            losses = []
            for features, price in loader:
                losses.append(self.training_step(features, price))
                self.on_batch_end()
            print(epoch, sum(losses) / len(losses), max(self.norms))


if __name__ == "__main__":
    torch.manual_seed(0)
    X = torch.randn(96, 5)
    y = 10 * X[:, 0] - 4 * X[:, 1] + torch.randn(96)
    cfg = Settings()
    loader = DataLoader(TensorDataset(X, y), batch_size=cfg.batch, shuffle=True)
    HousePriceTrainer(nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Linear(12, 1)), cfg).fit(loader)
