import torch
from torch.nn import functional as F

from .mixins import AmpMixin, ClipMixin, NormLogMixin


class BallotTrainer(NormLogMixin, ClipMixin, AmpMixin):
    def __init__(self, net, optimizer):
        self.net, self.optimizer = net, optimizer
        self.norms, self.scales = [], []
        self.setup_amp()

    def fit(self, batches, epochs):
        for _ in range(epochs):
            self.net.train()
            for marks, choice in batches:
                with torch.autocast("cuda", enabled=self.scaler.is_enabled()):
                    loss = F.cross_entropy(self.net(marks), choice)
                self.backward(loss)
                self.log_norm()
                self.clip()
                self.finish()
            self.end_epoch()
