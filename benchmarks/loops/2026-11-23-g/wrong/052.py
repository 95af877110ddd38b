from types import SimpleNamespace

import torch
from torch import nn

cfg = SimpleNamespace(dim=6, hidden=18, classes=3, head_lr=1e-2, body_lr=1e-3, rounds=12)


class Classifier(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(c.dim, c.hidden), nn.Tanh(), nn.Linear(c.hidden, c.hidden))
        self.head = nn.Linear(c.hidden, c.classes)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


class DiscriminativeFineTuner:
    def __init__(self, model, c):
        self.model = model
        self.head_opt = torch.optim.AdamW(model.head.parameters(), lr=c.head_lr)
        self.body_opt = torch.optim.AdamW(model.body.parameters(), lr=c.body_lr, weight_decay=0.0)
        self.crit = nn.CrossEntropyLoss(label_smoothing=0.1)

    def __call__(self, xb, yb):
        loss = self.crit(self.model(xb), yb)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.head_opt.step()
        self.model.zero_grad()
        self.body_opt.step()
        self.model.zero_grad()
        return loss.item()


def toy(c, n=32):
    x = torch.randn(n, c.dim)
    return x, x.view(n, c.classes, -1).sum(-1).argmax(1)


torch.manual_seed(13)
learner = DiscriminativeFineTuner(Classifier(cfg), cfg)
for r, (x, y) in enumerate(toy(cfg) for _ in range(cfg.rounds)):
    print(r, round(learner(x, y), 4))
