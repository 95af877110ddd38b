import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class CumulativeOptimizerHook:
    def __init__(self, cumulative_iters=1, grad_clip=None):
        self.cumulative_iters = cumulative_iters
        self.grad_clip = grad_clip
        self.remainder_iters = 0
        self.divisible_iters = 0

    def before_run(self, runner):
        total = runner.max_iters - runner.iter
        self.divisible_iters = total // self.cumulative_iters * self.cumulative_iters
        self.remainder_iters = total - self.divisible_iters
        runner.optimizer.zero_grad()

    def every_n(self, runner):
        done = runner.iter + 1
        return done % self.cumulative_iters == 0 or done == runner.max_iters

    def loss_factor(self, runner):
        if runner.iter < self.divisible_iters:
            return self.cumulative_iters
        return self.remainder_iters

    def after_train_iter(self, runner):
        loss = runner.outputs["loss"]
        runner.log_buffer["loss"] = loss.item() / self.loss_factor(runner)
        loss.backward()
        if self.every_n(runner):
            if self.grad_clip is not None:
                params = [p for p in runner.model.parameters() if p.grad is not None]
                runner.log_buffer["grad_norm"] = float(clip_grad_norm_(params, **self.grad_clip))
            runner.optimizer.step()
            runner.optimizer.zero_grad()


class IterRunner:
    def __init__(self, model: nn.Module, max_iters: int):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=0.05)
        self.max_iters = max_iters
        self.iter = 0
        self.hooks = []
        self.outputs = None
        self.log_buffer = {}

    def run(self, data_iter):
        for hook in self.hooks:
            hook.before_run(self)
        self.model.train()
        while self.iter < self.max_iters:
            self.outputs = {"loss": self.model(next(data_iter)).mean()}
            for hook in self.hooks:
                hook.after_train_iter(self)
            self.iter += 1
        return self.log_buffer


def finetune(model, data_iter):
    runner = IterRunner(model, max_iters=20000)
    runner.hooks.append(CumulativeOptimizerHook(cumulative_iters=4, grad_clip={"max_norm": 0.1}))
    return runner.run(data_iter)
