import math

import torch
from torch import nn

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
USE_AMP = DEVICE == "cuda"


class Joiner(nn.Module):
    def __init__(self, d=8, vocab=11):
        super().__init__()
        self.enc, self.pred = nn.Linear(d, 12), nn.Embedding(vocab, 12)
        self.out = nn.Linear(12, vocab)

    def forward(self, feats, prev):
        return self.out(torch.tanh(self.enc(feats) + self.pred(prev)))


def grad_norm(params):
    return math.sqrt(sum(p.grad.pow(2).sum().item() for p in params if p.grad is not None))


class Brain:
    def __init__(self, accumulate=2, clip=2.0):
        self.accumulate, self.clip = accumulate, clip
        self.model = Joiner().to(DEVICE)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=4e-3)
        self.scaler = torch.amp.GradScaler(DEVICE, enabled=USE_AMP)
        self.step_idx = 0
        self.norms = []

    def compute(self, feats, prev, target):
        with torch.autocast(DEVICE, dtype=torch.float16, enabled=USE_AMP):
            return nn.functional.cross_entropy(self.model(feats, prev), target)

    def fit_batch(self, batch):
        feats, prev, target = (t.to(DEVICE) for t in batch)
        loss = self.compute(feats, prev, target) / self.accumulate
        self.scaler.scale(loss).backward()
        self.step_idx += 1
        self.scaler.unscale_(self.opt)
        self.norms.append(grad_norm(self.model.parameters()))
        if self.step_idx % self.accumulate == 0:
            nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
            self.scaler.step(self.opt)
            self.scaler.update()
            self.opt.zero_grad()
        return loss.item() * self.accumulate


def make_batches(n):
    for _ in range(n):
        target = torch.randint(0, 11, (6,))
        yield torch.randn(6, 8) + target[:, None] * 0.3, (target + 1) % 11, target


torch.manual_seed(0)
brain = Brain()
for epoch in range(3):
    losses = [brain.fit_batch(b) for b in make_batches(8)]
    print(epoch, sum(losses) / len(losses), max(brain.norms))
