import torch
from torch.nn import functional as F

from .base import Trainer


class SlopeTrainer(Trainer):
    limit = 0.5

    def loss(self, batch):
        snow, slid = batch
        return F.mse_loss(self.model(snow), slid)

    def after_backward(self):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.limit)

    def after_step(self):
        self.optimizer.zero_grad()
