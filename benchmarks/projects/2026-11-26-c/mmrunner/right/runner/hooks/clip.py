from torch.nn.utils import clip_grad_norm_

from .hook import Hook


class GradClipHook(Hook):
    def __init__(self, max_norm, norm_type=2):
        self.max_norm = max_norm
        self.norm_type = norm_type

    def before_update(self, runner):
        params = [p for p in runner.model.parameters() if p.grad is not None]
        if params:
            norm = clip_grad_norm_(params, self.max_norm, self.norm_type)
            runner.log_buffer["grad_norm"] = float(norm)
