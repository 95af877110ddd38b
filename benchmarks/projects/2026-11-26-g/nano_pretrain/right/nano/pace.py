import math
from functools import partial

from torch.optim.lr_scheduler import LambdaLR


def warm_cosine(update, warmup, total):
    if update < warmup:
        return (update + 1) / warmup
    return 0.5 * (1 + math.cos(math.pi * (update - warmup) / max(1, total - warmup)))


class Pace:
    def __init__(self, optimizer, opt):
        self.schedule = LambdaLR(optimizer, partial(warm_cosine, warmup=opt.warmup, total=opt.updates))
        self.per_update = opt.grad_accum * opt.batch * opt.context
        self.tokens = 0

    def tick(self, tokens):
        self.tokens += tokens
        if self.tokens % self.per_update == 0:
            self.schedule.step()

    def __str__(self):
        return f"lr {self.schedule.get_last_lr()[0]:.6f} tokens {self.tokens}"
