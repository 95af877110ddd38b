import torch
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_

from .base import BaseTrainer


class CTCTrainer(BaseTrainer):
    blank = 0

    def compute_loss(self, batch):
        logits = self.model(batch["feats"])
        logp = logits.float().log_softmax(-1).transpose(0, 1)
        return F.ctc_loss(logp, batch["tokens"], batch["feat_lens"], batch["token_lens"], self.blank)

    def before_update(self):
        self.scaler.unscale_(self.optimizer)
        clip_grad_norm_(self.model.parameters(), self.cfg.grad_clip)

    def evaluate(self, loader):
        self.model.eval()
        total, n = 0.0, 0
        with torch.no_grad():
            for batch in loader:
                total += self.compute_loss(batch).item()
                n += 1
        return total / n
