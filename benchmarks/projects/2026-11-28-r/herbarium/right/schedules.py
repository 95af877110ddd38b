from torch.optim.lr_scheduler import CosineAnnealingLR, ExponentialLR

from registry import SCHEDULES


@SCHEDULES.add("fading")
def fading(optimizer, total_updates):
    return CosineAnnealingLR(optimizer, T_max=total_updates)


@SCHEDULES.add("drying")
def drying(optimizer, total_updates):
    return ExponentialLR(optimizer, gamma=0.1 ** (1 / total_updates))


def advance(schedule):
    schedule.step()
    return schedule.get_last_lr()[0]
