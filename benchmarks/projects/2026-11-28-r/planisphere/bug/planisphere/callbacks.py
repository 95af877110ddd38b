import math

from torch.nn.utils import clip_grad_norm_

from planisphere.metrics import surprise


class Callback:
    def after_backward(self, loop): ...

    def before_update(self, loop): ...

    def after_update(self, loop): ...

    def after_batch(self, loop): ...

    def after_epoch(self, loop): ...


class Reins(Callback):
    def __init__(self, limit):
        self.limit, self.longest = limit, 0.0

    def after_backward(self, loop):
        norm = clip_grad_norm_(loop.net.parameters(), self.limit)
        self.longest = max(self.longest, norm.item())

    def before_update(self, loop):
        assert math.isfinite(self.longest)


class Twilight(Callback):
    def __init__(self, schedule):
        self.schedule = schedule
        self.rates = []

    def after_update(self, loop):
        self.rates.append(self.schedule.get_last_lr()[0])

    def after_batch(self, loop):
        self.schedule.step()


class HeldOut(Callback):
    def __init__(self, loader):
        self.loader = loader

    def after_epoch(self, loop):
        nats, share = surprise(loop.net, self.loader)
        print(f"held out: {nats:.4f} nats, {share:.0%}")
