from functools import partial

from torch.optim.lr_scheduler import LambdaLR


def triangle(step, total, peak=0.3):
    up = max(1, int(total * peak))
    if step < up:
        return (step + 1) / up
    return max(0.0, (total - step) / (total - up))


class Schedule:
    def __init__(self, optimizer, total, on):
        self.inner = LambdaLR(optimizer, partial(triangle, total=total))
        self.on = on

    def event(self, kind):
        if kind == self.on:
            self.inner.step()

    @property
    def lr(self):
        return self.inner.get_last_lr()[0]
