import torch
import torch.nn.functional as F

from nmt.base import BaseTrainer


def pairs(cfg, n):
    src = torch.randint(cfg.vocab, (n, cfg.length))
    tgt = (src.flip(1) + 1) % cfg.vocab
    return list(zip(src.split(cfg.batch_size), tgt.split(cfg.batch_size)))


class TranslationTrainer(BaseTrainer):
    def begin_epoch(self):
        self.model.train()

    def begin_batch(self):
        self.optimizer.zero_grad()

    def compute_loss(self, batch):
        src, tgt = batch
        logits = self.model(src)
        return F.cross_entropy(logits.flatten(0, 1).float(), tgt.flatten())
