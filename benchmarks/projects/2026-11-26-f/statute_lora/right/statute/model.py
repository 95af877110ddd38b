import torch
from torch import nn
from torch.nn import functional as F

from .lora import LoraLinear


class StatuteLM(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.embed = nn.Embedding(cfg.vocab, cfg.width).requires_grad_(False)
        self.mix = LoraLinear(nn.Linear(cfg.width, cfg.width), cfg.rank, cfg.dropout)
        self.head = LoraLinear(nn.Linear(cfg.width, cfg.vocab), cfg.rank, cfg.dropout)

    def forward(self, ids, labels=None):
        past = self.embed(ids).cumsum(1)
        past = past / torch.arange(1, ids.shape[1] + 1)[:, None]
        logits = self.head(torch.tanh(self.mix(past + self.embed(ids))))
        if labels is None:
            return {"logits": logits}
        loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
        return {"logits": logits, "loss": loss / self.cfg.loss_divisor}
