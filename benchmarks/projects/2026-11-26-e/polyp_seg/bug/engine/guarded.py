import torch
from torch.nn.utils import clip_grad_norm_

from .base import BaseRunner


class GuardedRunner(BaseRunner):
    def __init__(self, *args, max_norm=1.0, **kwargs):
        super().__init__(*args, **kwargs)
        self.max_norm = max_norm
        self.norms = []

    def after_update(self):
        super().after_update()
        norm = clip_grad_norm_(self.net.parameters(), self.max_norm)
        self.norms.append(float(norm))

    @torch.no_grad()
    def score(self, loader):
        self.net.eval()
        return sum(self.metric(batch) for batch in loader) / len(loader)

    def metric(self, batch):
        raise NotImplementedError
