from torch.nn.utils import clip_grad_norm_
from torch.optim.lr_scheduler import ExponentialLR

from .registry import HOOKS


class Hook:
    def before_run(self, runner):
        pass

    def after_backward(self, runner):
        pass

    def after_update(self, runner):
        pass


@HOOKS.register
class ClipGrad(Hook):
    def __init__(self, max_norm):
        self.max_norm = max_norm

    def after_backward(self, runner):
        self.norm = clip_grad_norm_(runner.model.parameters(), self.max_norm)


@HOOKS.register
class LrDecay(Hook):
    def __init__(self, gamma):
        self.gamma = gamma

    def before_run(self, runner):
        self.schedule = ExponentialLR(runner.optimizer, self.gamma)

    def after_backward(self, runner):
        self.schedule.step()


@HOOKS.register
class LossLog(Hook):
    def __init__(self, every):
        self.every = every
        self.history = []

    def after_update(self, runner):
        self.history.append(runner.loss)
        if runner.iteration % self.every == 0:
            lr = runner.optimizer.param_groups[0]["lr"]
            print(f"it {runner.iteration} loss {sum(self.history) / len(self.history):.4f} lr {lr:.4f}")
