import torch.nn.functional as F

from .base import BaseTrainer
from .validation import RankingValidation


class BPRTrainer(RankingValidation, BaseTrainer):
    def training_step(self, batch):
        self.optimizer.zero_grad()
        user, pos, neg = batch
        margin = self.model(user, pos) - self.model(user, neg)
        loss = -F.logsigmoid(margin).mean()
        return loss, {"bpr": loss, "acc": (margin > 0).float().mean().item()}
