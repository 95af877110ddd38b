import torch

from .hook import Hook


class LrUpdaterHook(Hook):
    def __init__(self, policy, **kwargs):
        self.policy = policy
        self.kwargs = kwargs
        self.scheduler = None

    def before_run(self, runner):
        cls = getattr(torch.optim.lr_scheduler, self.policy)
        self.scheduler = cls(runner.optimizer, **self.kwargs)

    def after_train_iter(self, runner):
        self.scheduler.step()
        runner.log_buffer["lr"] = self.scheduler.get_last_lr()[0]
