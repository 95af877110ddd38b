from torch.nn import functional as F

from .base import Trainer


class RiskTrainer(Trainer):
    def __init__(self, model, optimizer):
        super().__init__(model, optimizer)
        self.batches = 0

    def loss(self, batch):
        snow, slid = batch
        return F.binary_cross_entropy_with_logits(self.model(snow), slid)

    def after_backward(self):
        self.batches += 1
        self.reset()
