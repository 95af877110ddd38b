import math
from functools import partial
from typing import Callable

from torch.optim import SGD
from torch.optim.lr_scheduler import LambdaLR


def cosine(total: int, n: int) -> float:
    return 0.5 * (1 + math.cos(math.pi * min(n, total) / total))


def make_updater(net, lr: float, updates: int) -> tuple[Callable, Callable]:
    optimizer = SGD(net.parameters(), lr=lr, momentum=0.8)
    schedule = LambdaLR(optimizer, partial(cosine, updates))

    def update() -> None:
        optimizer.step()
        optimizer.zero_grad()

    def advance() -> float:
        schedule.step()
        return schedule.get_last_lr()[0]

    return update, advance
