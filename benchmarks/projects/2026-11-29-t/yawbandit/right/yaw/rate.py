from torch.optim.lr_scheduler import StepLR


class Rate:
    def __init__(self, optimizer, every):
        self.optimizer = optimizer
        self.schedule = StepLR(optimizer, step_size=every, gamma=0.5)

    def now(self):
        return self.optimizer.param_groups[0]["lr"]


def make_rate(optimizer, every=5):
    return Rate(optimizer, every)
