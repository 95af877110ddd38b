from torch.nn.functional import cross_entropy
from torch.nn.utils import clip_grad_norm_

from .base import Trainer


class PhaseTrainer(Trainer):
    """Is there a P wave, an S wave, or noise in the trace?"""

    def __init__(self, net, opt, max_norm):
        super().__init__(net, opt)
        self.max_norm = max_norm

    def loss(self, batch):
        traces, phase, _ = batch
        return cross_entropy(self.net(traces).float(), phase)

    def before_step(self):
        super().before_step()
        clip_grad_norm_(self.net.parameters(), self.max_norm)
