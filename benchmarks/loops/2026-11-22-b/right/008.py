import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Hook:
    priority = 50

    def before_run(self, runner):
        pass

    def after_train_iter(self, runner):
        pass


class StepHook(Hook):
    priority = 60

    def after_train_iter(self, runner):
        runner.optimizer.step()


class ClipHook(Hook):
    priority = 45

    def __init__(self, max_norm, norm_type=2):
        self.max_norm = max_norm
        self.norm_type = norm_type

    def after_train_iter(self, runner):
        params = [p for p in runner.model.parameters() if p.grad is not None]
        if params:
            runner.log["grad_norm"] = float(clip_grad_norm_(params, self.max_norm, self.norm_type))


class BackwardHook(Hook):
    priority = 40

    def after_train_iter(self, runner):
        runner.optimizer.zero_grad()
        runner.outputs["loss"].backward()


class LrHook(Hook):
    priority = 70

    def __init__(self, milestones):
        self.milestones = milestones
        self.sched = None

    def before_run(self, runner):
        self.sched = torch.optim.lr_scheduler.MultiStepLR(runner.optimizer, self.milestones)

    def after_train_iter(self, runner):
        self.sched.step()


class IterBasedRunner:
    def __init__(self, model: nn.Module, max_iters: int):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
        self.max_iters = max_iters
        self.outputs, self.log = {}, {}
        self._hooks = []

    def register(self, *hooks):
        self._hooks = sorted([*self._hooks, *hooks], key=lambda h: h.priority)

    def call(self, event):
        for hook in self._hooks:
            getattr(hook, event)(self)

    def run(self, data):
        self.call("before_run")
        self.model.train()
        for i in range(self.max_iters):
            self.outputs = self.model.train_step(next(data))
            self.call("after_train_iter")
            if i % 50 == 0:
                print(i, self.outputs["loss"].item(), self.log)


def main(model, data):
    runner = IterBasedRunner(model, max_iters=160_000)
    runner.register(StepHook(), LrHook([100_000, 140_000]), ClipHook(35), BackwardHook())
    runner.run(data)
