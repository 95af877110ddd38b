import math

from torch.optim.lr_scheduler import LambdaLR


class Pacer:
    """Warm-up and cosine; the loop tells it what has happened."""

    def __init__(self, optimizer, warmup, total):
        def factor(n):
            if n < warmup:
                return (n + 1) / warmup
            return 0.5 * (1 + math.cos(math.pi * min(1.0, (n - warmup) / max(1, total - warmup))))

        self.sched = LambdaLR(optimizer, factor)
        self.tokens = 0

    def on_piece(self, x):
        self.tokens += x.numel()
        self.sched.step()

    @property
    def lr(self):
        return self.sched.get_last_lr()[0]
