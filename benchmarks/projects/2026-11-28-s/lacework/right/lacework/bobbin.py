from torch import nn

from .base import BaseTrainer


class BobbinTrainer(BaseTrainer):
    def __init__(self, net, optimizer, epochs, limit):
        super().__init__(net, optimizer, epochs)
        self.limit = limit
        self.criterion = nn.CrossEntropyLoss()

    def loss(self, batch):
        crossings, stitch = batch
        return self.criterion(self.net(crossings), stitch)

    def apply(self):
        nn.utils.clip_grad_norm_(self.net.parameters(), self.limit)
        super().apply()
