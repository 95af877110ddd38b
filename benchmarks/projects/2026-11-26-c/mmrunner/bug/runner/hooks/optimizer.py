import torch

from .hook import Hook


class CumulativeOptimizerHook(Hook):
    def __init__(self, cumulative_iters=1):
        self.cumulative_iters = cumulative_iters

    def before_run(self, runner):
        runner.optimizer.zero_grad()

    def after_train_iter(self, runner):
        loss = runner.outputs["loss"] / self.cumulative_iters
        loss.backward()
        runner.call_hook("after_backward")
        runner.log_buffer["loss"] = runner.outputs["loss"].item()

        if self.end_of_window(runner, self.cumulative_iters):
            runner.call_hook("before_update")
            runner.optimizer.step()
            runner.call_hook("after_update")
            runner.optimizer.zero_grad()


class EvalHook(Hook):
    def __init__(self, dataloader):
        self.dataloader = dataloader

    @torch.no_grad()
    def after_train_epoch(self, runner):
        runner.model.eval()
        total, count = 0.0, 0
        for x, y in self.dataloader:
            total += (runner.model(x) - y).pow(2).sum().item()
            count += len(x)
        runner.log_buffer["mse"] = total / count
