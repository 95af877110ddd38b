from dataclasses import dataclass, field
from typing import List

import torch
from torch import nn, optim
from torch.nn.utils import clip_grad_norm_


@dataclass
class TabularConfig:
    n_features: int = 12
    layers: List[int] = field(default_factory=lambda: [32, 16])
    lr: float = 1e-2
    micro_batch: int = 10
    window: int = 5
    max_norm: float = 0.25
    epochs: int = 2
    warmup: int = 3


class TabularRegressor(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        sizes = [cfg.n_features, *cfg.layers]
        blocks = []
        for a, b in zip(sizes, sizes[1:]):
            blocks += [nn.Linear(a, b), nn.SiLU()]
        self.body = nn.Sequential(*blocks)
        self.head = nn.Linear(sizes[-1], 1)

    def forward(self, x):
        return self.head(self.body(x)).squeeze(1)


class TabularTrainer:
    def __init__(self, cfg, X, y):
        self.cfg = cfg
        self.X, self.y = X, y
        self.model = TabularRegressor(cfg)
        self.optim = optim.RMSprop(self.model.parameters(), lr=cfg.lr)
        self.sched = optim.lr_scheduler.LambdaLR(self.optim, lambda s: min(1.0, (s + 1) / cfg.warmup))

    def chunks(self):
        perm = torch.randperm(len(self.X))
        return list(zip(self.X[perm].split(self.cfg.micro_batch), self.y[perm].split(self.cfg.micro_batch)))

    def fit(self):
        cfg = self.cfg
        for epoch in range(cfg.epochs):
            self.model.train()
            done = 0
            for xb, yb in self.chunks():
                loss = nn.functional.mse_loss(self.model(xb), yb)
                (loss / cfg.window).backward()
                grad_norm = clip_grad_norm_(self.model.parameters(), cfg.max_norm)
                done += 1
                if done == cfg.window:
                    self.optim.step()
                    self.sched.step()
                    self.optim.zero_grad()
                    done = 0
            print(f"epoch={epoch} last_loss={loss.item():.4f} grad_norm={float(grad_norm):.3f}")


torch.manual_seed(11)
features = torch.randn(200, 12)
labels = 3 * features[:, 0] - features[:, 1] * features[:, 2]
TabularTrainer(TabularConfig(), features, labels).fit()
