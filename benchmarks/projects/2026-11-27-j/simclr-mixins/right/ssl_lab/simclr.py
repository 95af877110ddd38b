import torch
import torch.nn.functional as F

from ssl_lab.core import Loop
from ssl_lab.mixins import ClipMixin, DecayMixin


class SimCLR(DecayMixin, ClipMixin, Loop):
    temperature = 0.5

    def compute_loss(self, batch):
        a, b = (F.normalize(self.encoder(v), dim=1) for v in batch)
        sim = a @ b.t() / self.temperature
        target = torch.arange(len(a))
        loss = F.cross_entropy(sim, target) + F.cross_entropy(sim.t(), target)
        return loss / 2 / self.window
