import random

import torch
from torch import nn


class GradientSurgery:
    """Projects conflicting task gradients onto each other's normal plane."""

    def __init__(self, optimizer: torch.optim.Optimizer):
        self.optimizer = optimizer
        self.params = [p for g in optimizer.param_groups for p in g["params"]]

    def _collect(self, loss, retain):
        self.optimizer.zero_grad(set_to_none=False)
        loss.backward(retain_graph=retain)
        return torch.cat(
            [(p.grad if p.grad is not None else torch.zeros_like(p)).flatten().clone() for p in self.params]
        )

    @staticmethod
    def _project(grads):
        projected = [g.clone() for g in grads]
        for i, g in enumerate(projected):
            others = [k for k in range(len(grads)) if k != i]
            random.shuffle(others)
            for k in others:
                dot = torch.dot(g, grads[k])
                if dot < 0:
                    g.sub_(grads[k], alpha=(dot / grads[k].square().sum().clamp(min=1e-12)).item())
        return torch.stack(projected).sum(0)

    def _restore(self, flat):
        offset = 0
        for p in self.params:
            n = p.numel()
            p.grad = flat[offset : offset + n].view_as(p).clone()
            offset += n

    def backward(self, losses):
        grads = [self._collect(loss, retain=i < len(losses) - 1) for i, loss in enumerate(losses)]
        self.optimizer.zero_grad()
        self._restore(self._project(grads))


def train(model: nn.Module, loader, tasks, epochs: int = 50, lr: float = 1e-4):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    surgery = GradientSurgery(optimizer)
    for epoch in range(epochs):
        model.train()
        sums = dict.fromkeys(tasks, 0.0)
        for x, targets in loader:
            outputs = model(x)
            losses = {name: fn(outputs[name], targets[name]) for name, fn in tasks.items()}
            surgery.backward(list(losses.values()))
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            for name, value in losses.items():
                sums[name] += value.item()
        print(epoch, {k: round(v / len(loader), 4) for k, v in sums.items()})
