from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class TrainConfig:
    epochs: int = 3
    batch_size: int = 8
    accumulate: int = 4
    lr: float = 1e-2


class Trainer:
    def __init__(self, model, train_set, cfg):
        self.model = model
        self.cfg = cfg
        self.loader = DataLoader(train_set, batch_size=cfg.batch_size, shuffle=True)
        self.optim = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9)
        self.criterion = nn.CrossEntropyLoss()
        self.updates = 0

    def fit(self):
        for epoch in range(self.cfg.epochs):
            avg = self.train_epoch()
            print(f"[{epoch}] loss={avg:.3f} updates={self.updates}")

    def train_epoch(self):
        self.model.train()
        seen, total = 0, 0.0
        for i, (x, y) in enumerate(self.loader):
            loss = self.criterion(self.model(x), y)
            total += loss.item() * len(x)
            seen += len(x)
            (loss / self.cfg.accumulate).backward()

            if (i + 1) % self.cfg.accumulate == 0:
                self.optim.step()
                self.optim.zero_grad()
                self.updates += 1
        return total / seen


def make_data(n=150):
    g = torch.Generator().manual_seed(3)
    x = torch.randn(n, 10, generator=g)
    return TensorDataset(x, (x[:, 0] > 0).long())


def main():
    net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 2))
    Trainer(net, make_data(), TrainConfig()).fit()


if __name__ == "__main__":
    main()
