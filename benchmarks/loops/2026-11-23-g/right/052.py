import random

import torch
from torch import nn


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(6, 16), nn.ReLU())
        self.heads = nn.ModuleDict({"angle": nn.Linear(16, 1), "depth": nn.Linear(16, 1), "kind": nn.Linear(16, 3)})

    def forward(self, x):
        h = self.shared(x)
        return {name: head(h) for name, head in self.heads.items()}


class PCGrad:
    def __init__(self, optimizer):
        self.optimizer = optimizer
        self.params = [p for g in optimizer.param_groups for p in g["params"]]

    def take(self):
        flat = torch.cat([(torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in self.params])
        self.optimizer.zero_grad()
        return flat

    def write(self, flat):
        sizes = [p.numel() for p in self.params]
        for p, g in zip(self.params, flat.split(sizes)):
            p.grad = g.view_as(p).clone()

    def backward(self, losses):
        grads = []
        for loss in losses:
            loss.backward(retain_graph=True)
            grads.append(self.take())
        mixed = [g.clone() for g in grads]
        for g in mixed:
            for other in random.sample(grads, len(grads)):
                dot = g @ other
                if dot < 0:
                    g -= dot / other.pow(2).sum() * other
        self.write(torch.stack(mixed).sum(0))

    def step(self):
        self.optimizer.step()
        self.optimizer.zero_grad()


random.seed(0)
torch.manual_seed(0)
model = MultiTask()
pc = PCGrad(torch.optim.Adam(model.parameters(), lr=5e-3))
for it in range(25):
    x = torch.randn(32, 6)
    out = model(x)
    losses = [
        (out["angle"].squeeze(1) - x[:, 0]).abs().mean(),
        (out["depth"].squeeze(1) + x[:, 0] - x[:, 1]).pow(2).mean(),
        nn.functional.cross_entropy(out["kind"], x[:, :3].argmax(1)),
    ]
    pc.backward(losses)
    pc.step()
    if it % 8 == 0:
        print(it, [round(l.item(), 3) for l in losses])
