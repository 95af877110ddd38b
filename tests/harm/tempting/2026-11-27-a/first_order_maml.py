import copy

import torch
from torch import nn
from torch.nn import functional as F

TASKS_PER_BATCH, SHOTS, INNER_LR = 4, 6, 0.05


class Sines:
    def sample(self):
        amplitude, phase = torch.rand(1) * 4 + 1, torch.rand(1) * 3.14
        x = torch.rand(2 * SHOTS, 1) * 10 - 5
        y = amplitude * torch.sin(x + phase)
        return (x[:SHOTS], y[:SHOTS]), (x[SHOTS:], y[SHOTS:])


class MetaLearner:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1))
        self.outer = torch.optim.SGD(self.net.parameters(), lr=5e-2)

    def adapt(self, support, steps=2):
        fast = copy.deepcopy(self.net)
        inner = torch.optim.SGD(fast.parameters(), lr=INNER_LR)
        for _ in range(steps):
            inner.zero_grad()
            F.mse_loss(fast(support[0]), support[1]).backward()
            inner.step()
        inner.zero_grad()
        return fast

    def update(self, tasks):
        sums = [torch.zeros_like(p) for p in self.net.parameters()]
        for support, held_out in tasks:
            fast = self.adapt(support)
            query = F.mse_loss(fast(held_out[0]), held_out[1])
            query.backward()
            for total, p in zip(sums, fast.parameters()):
                total += p.grad
        for p, total in zip(self.net.parameters(), sums):
            p.grad = total.div_(len(tasks))
        self.outer.step()


def train(record):
    torch.manual_seed(102)
    learner, tasks = MetaLearner(), Sines()
    for epoch in range(3):
        for _ in range(5):
            learner.update([tasks.sample() for _ in range(TASKS_PER_BATCH)])
            record(list(learner.net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
