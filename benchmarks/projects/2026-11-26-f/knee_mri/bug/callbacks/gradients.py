from torch.nn.utils import clip_grad_norm_

from .base import Callback


class ClearGradients(Callback):
    def on_batch_begin(self, loop):
        loop.optimizer.zero_grad(set_to_none=True)


class LimitGradients(Callback):
    def __init__(self, norm):
        self.norm = norm
        self.seen = []

    def on_update_end(self, loop):
        self.seen.append(float(clip_grad_norm_(loop.net.parameters(), self.norm)))
