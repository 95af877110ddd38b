"""Contrastive image/text toy (two towers). Accumulates ``--accum`` batches; poly schedule over updates."""
import sys
from types import SimpleNamespace

import torch
import torch.nn as nn
import torch.nn.functional as F

args = SimpleNamespace(epochs=2, accum=2, bs=12, lr=0.05, clip=1.0, temperature=0.2, n=96)
if "--tiny" in sys.argv:
    args.n = 48

torch.manual_seed(64)
latent = torch.randn(args.n, 5)
images = latent @ torch.randn(5, 20) + 0.1 * torch.randn(args.n, 20)
texts = latent @ torch.randn(5, 14) + 0.1 * torch.randn(args.n, 14)


class TwoTowers(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.image = nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Linear(16, dim))
        self.text = nn.Sequential(nn.Linear(14, 16), nn.ReLU(), nn.Linear(16, dim))

    def forward(self, img, txt):
        a, b = F.normalize(self.image(img), dim=1), F.normalize(self.text(txt), dim=1)
        sim = a @ b.t() / args.temperature
        target = torch.arange(len(sim))
        return (F.cross_entropy(sim, target) + F.cross_entropy(sim.t(), target)) / 2


def epoch_batches():
    order = torch.randperm(args.n).split(args.bs)
    return [(images[o], texts[o]) for o in order]


towers = TwoTowers()
optimizer = torch.optim.SGD(towers.parameters(), lr=args.lr, momentum=0.9)
updates = args.epochs * (args.n // args.bs) // args.accum
schedule = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=updates)

for epoch in range(args.epochs):
    data = epoch_batches()
    last = len(data) - 1
    total = 0.0
    for i, (img, txt) in enumerate(data):
        if i % args.accum == 0:
            optimizer.zero_grad()
        loss = towers(img, txt)
        total += loss.item()
        loss = loss / len(data)
        loss.backward()
        if i % args.accum == args.accum - 1 or i == last:
            nn.utils.clip_grad_norm_(towers.parameters(), args.clip)
            schedule.step()
            optimizer.step()
    print(f"epoch {epoch} nce {total / len(data):.4f} lr {optimizer.param_groups[0]['lr']:.4f}")
