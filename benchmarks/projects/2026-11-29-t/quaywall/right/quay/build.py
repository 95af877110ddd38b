from torch import nn, optim


class Decay:
    def __init__(self, schedules):
        self.schedules = schedules

    def advance(self):
        for schedule in self.schedules:
            schedule.step()

    def rates(self):
        return [round(s.get_last_lr()[0], 5) for s in self.schedules]


def make_networks():
    maker = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 10))
    critic = nn.Sequential(nn.Linear(10, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
    return maker, critic


def make_optimizers(*networks):
    return [optim.Adam(net.parameters(), lr=2e-3, betas=(0.5, 0.9)) for net in networks]


def make_schedules(*optimizers):
    return Decay([optim.lr_scheduler.ExponentialLR(opt, gamma=0.8) for opt in optimizers])
