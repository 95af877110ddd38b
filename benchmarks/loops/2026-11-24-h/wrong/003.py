from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class TrainConfig:
    epochs: int = 3
    micro_bs: int = 8
    accum: int = 4
    lr: float = 1e-2
    dims: tuple = field(default=(20, 32, 1))


class HousePriceTrainer:
    """Regression on tabular data."""

    def __init__(self, cfg: TrainConfig, x, y):
        self.cfg = cfg
        a, b, c = cfg.dims
        self.net = nn.Sequential(nn.Linear(a, b), nn.SiLU(), nn.Linear(b, c))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=cfg.lr)
        self.x, self.y = x, y
        self.history = []

    def batches(self):
        order = torch.randperm(len(self.x))
        for chunk in order.split(self.cfg.micro_bs):
            yield self.x[chunk], self.y[chunk]

    def run_epoch(self):
        self.net.train()
        losses = []
        for i, (xb, yb) in enumerate(self.batches(), start=1):
            mse = F.mse_loss(self.net(xb).squeeze(-1), yb)
            (mse / self.cfg.accum).backward()
            losses.append(mse.item())
            if i % self.cfg.accum == 0:
                self.opt.step()
                self.opt.zero_grad(set_to_none=True)
        return sum(losses) / len(losses)

    def fit(self):
        for ep in range(self.cfg.epochs):
            self.history.append(self.run_epoch())
            print(f"[{ep}] rmse~{self.history[-1] ** 0.5:.3f}")


if __name__ == "__main__":
    torch.manual_seed(1)
    X = torch.randn(150, 20)
    Y = X @ torch.randn(20) + 0.1 * torch.randn(150)
    HousePriceTrainer(TrainConfig(), X, Y).fit()
