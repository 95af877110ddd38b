from torch import nn, optim


class Portion(nn.Module):
    """A mean error, cut into as many portions as are added up."""

    def __init__(self, error, portions=1):
        super().__init__()
        self.error, self.portions = error, portions

    def forward(self, guess, truth):
        return self.error(guess, truth) / self.portions


class Clock:
    def __init__(self, optimizer, ticks):
        self.rates = optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=ticks)
        self.ticks = 0

    def tick(self):
        self.ticks += 1
        self.rates.step()


def make_loss(options):
    return Portion(nn.L1Loss(), options.window)


def make_clock(optimizer, options):
    return Clock(optimizer, options.updates)
