import copy
import math
import random

import torch
from torch import nn


class Sine:
    def __init__(self):
        self.a, self.p = random.uniform(0.5, 3), random.uniform(0, math.pi)

    def batch(self, n=10):
        x = torch.rand(n, 1) * 10 - 5
        return x, self.a * torch.sin(x + self.p)


def adapt(learner, task, steps, lr=0.02):
    inner = torch.optim.SGD(learner.parameters(), lr=lr)
    for _ in range(steps):
        x, y = task.batch()
        loss = nn.functional.mse_loss(learner(x), y)
        inner.zero_grad()
        loss.backward()
        inner.step()
    return loss.item()


def set_meta_gradient(meta, learners):
    params = zip(meta.parameters(), *(l.parameters() for l in learners))
    for p, *fast in params:
        p.grad = torch.stack([p.data - f.data for f in fast]).mean(0)


def reptile(meta_iterations=15, tasks_per_update=3, inner_steps=4):
    meta = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 1))
    outer = torch.optim.Adam(meta.parameters(), lr=1e-2)
    for it in range(meta_iterations):
        learners, final = [], []
        for _ in range(tasks_per_update):
            learner = copy.deepcopy(meta)
            final.append(adapt(learner, Sine(), inner_steps))
            learners.append(learner)
        set_meta_gradient(meta, learners)
        outer.step()
        if it % 5 == 4:
            print(it + 1, sum(final) / len(final))


random.seed(0)
torch.manual_seed(0)
reptile()
