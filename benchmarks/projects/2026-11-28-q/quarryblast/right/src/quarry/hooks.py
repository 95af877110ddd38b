from torch.nn.utils import clip_grad_norm_


class Hook:
    def before_step(self, runner):
        pass

    def after_round(self, runner):
        pass


class GradientCap(Hook):
    """Keeps one hard shot from throwing the weights around."""

    def __init__(self, limit):
        self.limit = limit
        self.norm = None

    def before_step(self, runner):
        runner.scaler.unscale_(runner.opt)
        self.norm = clip_grad_norm_(runner.net.parameters(), self.limit)


class Report(Hook):
    def after_round(self, runner):
        print(f"mean {runner.mean.value():.4f} scale {runner.scaler.get_scale():.0f}")
