import math

from torch.optim.lr_scheduler import LambdaLR


class WarmupClock:
    def __init__(self, optimizer, updates, warmup):
        def shape(u):
            if u < warmup:
                return (u + 1) / warmup
            return 0.1 + 0.45 * (1 + math.cos(math.pi * min(1.0, (u - warmup) / (updates - warmup))))

        self._schedule = LambdaLR(optimizer, shape)

    def tick(self):
        self._schedule.step()

    @property
    def rate(self):
        return self._schedule.get_last_lr()[0]
