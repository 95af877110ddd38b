"""Two-tower retrieval with in-batch negatives."""
from itertools import cycle, islice

import torch
import torch.nn as nn
import torch.nn.functional as F


class Tower(nn.Module):
    def __init__(self, n, d=16):
        super().__init__()
        self.e = nn.Embedding(n, d)
        self.p = nn.Linear(d, d)

    def forward(self, i):
        return F.normalize(self.p(self.e(i)), dim=-1)


class TwoTower(nn.Module):
    def __init__(self, users=50, items=80, temperature=0.1):
        super().__init__()
        self.user, self.item = Tower(users), Tower(items)
        self.temperature = temperature

    def forward(self, u, i):
        sim = self.user(u) @ self.item(i).T / self.temperature
        return F.cross_entropy(sim, torch.arange(len(u)))


class Loop:
    def __init__(self, model, clicks, per_update=3, lr=1e-2):
        self.model, self.clicks = model, clicks
        self.per_update = per_update
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.decay = torch.optim.lr_scheduler.ExponentialLR(self.opt, 0.98)
        self.tick = 0

    @property
    def full(self):
        return self.tick % self.per_update == 0

    def backprop(self, u, i):
        loss = self.model(u, i)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 0.5)
        self.tick += 1
        return loss.item()

    def advance(self):
        self.opt.step()
        self.opt.zero_grad()
        self.decay.step()

    def run(self, n):
        out = []
        for u, i in islice(cycle(self.clicks), n):
            out.append(self.backprop(u, i))
            if self.full:
                self.advance()
        return out


if __name__ == "__main__":
    torch.manual_seed(9)
    u = torch.randint(0, 50, (192,))
    i = (u + torch.randint(0, 2, (192,))) % 80
    clicks = list(zip(u.split(16), i.split(16)))
    losses = Loop(TwoTower(), clicks).run(48)
    print("first", round(losses[0], 3), "last", round(sum(losses[-12:]) / 12, 3))
