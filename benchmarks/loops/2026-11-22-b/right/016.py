import json
import math
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn


class NormLedger:
    """Writes one row per update with the norm of each block's gradient."""

    def __init__(self, path: Path, every: int):
        self.file = path.open("w")
        self.every = every

    def record(self, model: nn.Module, step: int, loss: float) -> None:
        if step % self.every:
            return
        row = {"step": step, "loss": loss}
        for name, block in model.named_children():
            row[name] = nn.utils.clip_grad_norm_(block.parameters(), math.inf).item()
        self.file.write(json.dumps(row) + "\n")
        self.file.flush()


class TabularNet(nn.Module):
    def __init__(self, n_num: int, cards: list[int], width: int = 256):
        super().__init__()
        self.embed = nn.ModuleList(nn.Embedding(c, min(50, c // 2 + 1)) for c in cards)
        dim = n_num + sum(e.embedding_dim for e in self.embed)
        self.body = nn.Sequential(nn.Linear(dim, width), nn.ReLU(), nn.Dropout(0.1), nn.Linear(width, width))
        self.head = nn.Linear(width, 1)

    def forward(self, num, cat):
        parts = [e(cat[:, i]) for i, e in enumerate(self.embed)]
        return self.head(F.relu(self.body(torch.cat([num, *parts], dim=1)))).squeeze(1)


def fit(model: TabularNet, batches, total: int, out: Path, lr: float = 2e-3) -> nn.Module:
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, lr, total_steps=total)
    ledger = NormLedger(out / "norms.jsonl", every=100)
    model.train()
    for step in range(total):
        num, cat, target = next(batches)
        loss = F.mse_loss(model(num, cat), target)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        ledger.record(model, step, loss.item())
        optimizer.zero_grad()
    return model
