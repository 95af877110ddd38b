from math import ceil

from torch import nn
from torch.optim import AdamW
from torch.optim.lr_scheduler import CosineAnnealingLR

from cfg import *


class FrostNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(CFG.features, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.2))
        self.head = nn.Linear(32, 1)

    def forward(self, x):
        return self.head(self.body(x)).squeeze(-1)


def get_optimizer(model, batches):
    optimizer = AdamW(model.parameters(), lr=CFG.lr)
    updates = CFG.epochs * ceil(batches / CFG.gradient_accumulation_steps)
    return optimizer, CosineAnnealingLR(optimizer, T_max=updates, eta_min=CFG.min_lr)
