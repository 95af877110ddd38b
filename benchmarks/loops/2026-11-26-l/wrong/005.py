from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    lr: float = 0.03
    accum: int = 3
    clip: float = 1.0
    epochs: int = 2


class AMPTrainer:
    def __init__(self, model, cfg):
        self.model, self.cfg = model, cfg
        self.opt = torch.optim.SGD(model.parameters(), lr=cfg.lr)
        self.scaler = torch.amp.GradScaler("cpu")

    def optimizer_step(self):
        nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip)
        self.scaler.unscale_(self.opt)
        norm = sum(p.grad.norm() ** 2 for p in self.model.parameters()) ** 0.5
        self.scaler.step(self.opt)
        self.scaler.update()
        self.opt.zero_grad()
        return norm.item()

    def fit(self, batches):
        for epoch in range(self.cfg.epochs):
            for i, (x, y) in enumerate(batches):
                loss = nn.functional.mse_loss(self.model(x), y)
                self.scaler.scale(loss / self.cfg.accum).backward()
                if (i + 1) % self.cfg.accum == 0 or i + 1 == len(batches):
                    norm = self.optimizer_step()
            print(epoch, loss.item(), norm)


torch.manual_seed(1)
batches = [(torch.randn(4, 6), torch.randn(4, 1)) for _ in range(7)]
AMPTrainer(nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1)), Config()).fit(batches)
