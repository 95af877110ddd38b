import itertools

import torch
from torch import nn
from torch.optim import AdamW
from torch.optim.lr_scheduler import CosineAnnealingLR

from adapters.inject import add_adapters
from adapters.vision import load_vit


class AdapterTuning:
    def __init__(self, name: str, n_classes: int, bottleneck: int = 64, lr: float = 1e-3, total: int = 20_000):
        self.backbone = load_vit(name)
        self.backbone.requires_grad_(False)
        self.adapters = add_adapters(self.backbone, bottleneck)
        self.head = nn.Linear(self.backbone.embed_dim, n_classes)
        self.optimizer = AdamW(self.trainable, lr=lr, weight_decay=1e-4)
        self.scheduler = CosineAnnealingLR(self.optimizer, total)
        self.total = total

    @property
    def trainable(self):
        return itertools.chain(
            (p for a in self.adapters for p in a.parameters()),
            filter(lambda p: p.requires_grad, self.head.parameters()),
        )

    def parameters_count(self):
        return sum(p.numel() for p in self.trainable)

    def forward(self, x):
        return self.head(self.backbone.forward_features(x)[:, 0])

    def train_step(self, x, y):
        loss = nn.functional.cross_entropy(self.forward(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.trainable, 1.0)
        self.optimizer.step()
        self.scheduler.step()
        return loss.item(), norm.item()

    def fit(self, stream):
        print(f"{self.parameters_count() / 1e6:.2f} M parameters are trained")
        self.backbone.train()
        self.head.train()
        for step in range(self.total):
            loss, norm = self.train_step(*next(stream))
            if step % 200 == 0:
                print(step, round(loss, 4), round(norm, 3))
