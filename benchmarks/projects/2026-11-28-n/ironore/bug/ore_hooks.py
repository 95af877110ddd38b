from torch.nn.utils import clip_grad_norm_

from registry import Hook, hook


@hook("reset")
class Reset(Hook):
    def before_batch(self, runner):
        runner.optimizer.zero_grad()


@hook("decay")
class Decay(Hook):
    def after_batch(self, runner):
        runner.schedule.step()


@hook("bound")
class Bound(Hook):
    def __init__(self, most=2.0):
        self.most = most

    def before_update(self, runner):
        clip_grad_norm_(runner.net.parameters(), self.most)
