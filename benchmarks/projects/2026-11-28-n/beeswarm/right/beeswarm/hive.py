from torch.nn.functional import binary_cross_entropy_with_logits as bce
from torch.optim import SGD
from torch.optim.lr_scheduler import CosineAnnealingLR

from .base import Campaign
from .limits import NormLimit


class HiveCampaign(Campaign):
    def __init__(self, net, batches, half, rounds):
        super().__init__(batches)
        self.net, self.half = net, half
        self.optimizer = SGD(net.parameters(), lr=0.2)
        self.cosine = CosineAnnealingLR(self.optimizer, T_max=rounds)
        self.limit = NormLimit(1.0)
        self.largest = 0.0

    def before_round(self, number):
        self.net.train()
        self.largest = 0.0

    def after_round(self, number):
        self.cosine.step()
        print(number, f"largest norm {self.largest:.3f}", self.cosine.get_last_lr())

    def batch(self, x, y):
        self.optimizer.zero_grad()
        with self.half.cast():
            logits = self.net(x)
        self.half.backward(bce(logits.float(), y))
        self.largest = max(self.largest, self.limit(self.optimizer, self.half))
        self.half.advance(self.optimizer)
