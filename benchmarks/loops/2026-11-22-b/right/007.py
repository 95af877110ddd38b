import bisect

import torch
from torch import nn
from torch.optim import SGD
from torch.optim.lr_scheduler import ConstantLR


class WindowPlan:
    """Number of micro-batches per update as a function of the update's number."""

    def __init__(self, *stages: tuple[int, int]):
        self.starts = [s for s, _ in stages]
        self.sizes = [n for _, n in stages]

    def size(self, update: int) -> int:
        return self.sizes[bisect.bisect_right(self.starts, update) - 1]


class GrowingBatchTrainer:
    def __init__(self, net: nn.Module, plan: WindowPlan, lr: float = 0.1):
        self.net = net
        self.plan = plan
        self.optimizer = SGD(net.parameters(), lr=lr, momentum=0.9, weight_decay=1e-4)
        self.warm = ConstantLR(self.optimizer, factor=0.1, total_iters=200)
        self.updates = 0
        self.left = self.window = plan.size(0)

    def micro_step(self, x, y):
        loss = nn.functional.cross_entropy(self.net(x), y)
        loss.mul(1.0 / self.window).backward()
        self.left -= 1
        if not self.left:
            self.finish()
        return loss.item()

    def finish(self):
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimizer.step()
        self.warm.step()
        self.optimizer.zero_grad()
        self.updates += 1
        self.left = self.window = self.plan.size(self.updates)


def train(net, stream, total_updates=20_000):
    plan = WindowPlan((0, 1), (2_000, 2), (6_000, 4), (12_000, 8))
    trainer = GrowingBatchTrainer(net.cuda(), plan)
    net.train()
    recent = []
    while trainer.updates < total_updates:
        x, y = next(stream)
        before = trainer.updates
        recent.append(trainer.micro_step(x.cuda(), y.cuda()))
        if trainer.updates > before and trainer.updates % 100 == 0:
            print(trainer.updates, trainer.window, sum(recent) / len(recent))
            recent.clear()
    return net
