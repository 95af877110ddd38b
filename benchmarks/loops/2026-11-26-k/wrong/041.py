import torch
from torch import nn


class ContrastiveRunner:
    def __init__(self, tower, accum):
        self.tower, self.accum = tower, accum
        self.opt = torch.optim.SGD(tower.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=256.0)

    def loss(self, a, b):
        za = nn.functional.normalize(self.tower(a).float(), dim=-1)
        zb = nn.functional.normalize(self.tower(b).float(), dim=-1)
        return nn.functional.cross_entropy(za @ zb.T / 0.2, torch.arange(len(a)))

    def run_epoch(self, pairs):
        meter = 0.0
        for n, (a, b) in enumerate(pairs, start=1):
            with torch.autocast("cpu", dtype=torch.float16):
                loss = self.loss(a, b)
            meter += loss.item()
            self.scaler.scale(loss / self.accum).backward()
            if n % self.accum:
                continue
            self.scaler.step(self.opt)
            self.scaler.update()
            self.opt.zero_grad()
        return meter / len(pairs)


torch.manual_seed(32)
pairs = []
for _ in range(11):
    base = torch.randn(12, 10)
    pairs.append((base + 0.1 * torch.randn_like(base), base + 0.1 * torch.randn_like(base)))
runner = ContrastiveRunner(nn.Sequential(nn.Linear(10, 24), nn.ReLU(), nn.Linear(24, 6)), accum=3)
for epoch in range(4):
    print(epoch, runner.run_epoch(pairs))
