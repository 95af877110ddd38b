from __future__ import annotations

import torch
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_

from asr.engine.base import AmpEngine


class CTCEngine(AmpEngine):
    def __init__(self, model, optimizer, schedule, held_out, *, max_norm: float = 1.0, blank: int = 0, device: str = "cpu"):
        super().__init__(model, optimizer, device=device)
        self.schedule = schedule
        self.held_out = held_out
        self.max_norm = max_norm
        self.blank = blank
        self.grad_norms: list[float] = []

    def compute_loss(self, batch):
        feats, feat_lens, tokens, token_lens = batch
        logits = self.model(feats)
        log_probs = logits.float().log_softmax(-1).transpose(0, 1)
        return F.ctc_loss(log_probs, tokens, feat_lens, token_lens, blank=self.blank, zero_infinity=True)

    def before_step(self):
        norm = clip_grad_norm_(self.model.parameters(), self.max_norm)
        self.grad_norms.append(float(norm))

    @torch.no_grad()
    def held_out_loss(self):
        self.model.eval()
        values = [self.compute_loss(batch).item() for batch in self.held_out]
        return sum(values) / len(values)

    def on_epoch_end(self, epoch):
        self.schedule.step()
        rate = self.optimizer.param_groups[0]["lr"]
        tail = self.losses[-8:]
        print(f"epoch {epoch}  ctc {sum(tail) / len(tail):.3f}  held out {self.held_out_loss():.3f}  |g| {self.grad_norms[-1]:.2f}  next lr {rate:.4f}")
