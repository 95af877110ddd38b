import torch

from .registry import HOOKS


class Hook:
    def before_epoch(self, runner):
        pass

    def after_iter(self, runner, loss):
        pass

    def after_epoch(self, runner):
        pass


@HOOKS.register("loss_meter")
class LossMeter(Hook):
    def before_epoch(self, runner):
        self.total, self.count = 0.0, 0

    def after_iter(self, runner, loss):
        self.total = self.total + loss
        self.count += 1

    def after_epoch(self, runner):
        print(f"epoch {runner.epoch}: loss {float(self.total) / self.count:.4f}")


@HOOKS.register("lr")
class LRHook(Hook):
    def __init__(self, gamma):
        self.gamma = gamma
        self.scheduler = None

    def before_epoch(self, runner):
        if self.scheduler is None:
            self.scheduler = torch.optim.lr_scheduler.ExponentialLR(runner.optimizer, self.gamma)

    def after_epoch(self, runner):
        self.scheduler.step()
