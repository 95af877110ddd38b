import torch
from torch.nn import functional as F

from skislope.base import BaseTrainer


class AvalancheTrainer(BaseTrainer):
    def compute_loss(self, x, y):
        logits = self.net(x)
        return F.binary_cross_entropy_with_logits(logits.float(), y)

    def before_update(self):
        super().before_update()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.max_norm)

    @torch.inference_mode()
    def validate(self, batches):
        self.net.eval()
        hits = [((self.net(x.to(self.device)) > 0).cpu() == (y > 0.5)).float().mean() for x, y in batches]
        return torch.stack(hits).mean().item()
