import torch
from torch import nn

from tide.mixins import Accumulating, Validating


class Forecaster(Accumulating, Validating):
    def __init__(self, conf, train, valid):
        self.conf, self.train, self.valid = conf, train, valid
        self.net = self.build()
        self.optim = torch.optim.RMSprop(self.net.parameters(), lr=conf.lr)

    def build(self):
        c = self.conf
        return nn.Sequential(
            nn.Linear(c.lag, c.hidden), nn.Tanh(), nn.Dropout(0.2), nn.Linear(c.hidden, c.horizon)
        )

    def loss(self, past, future):
        raise NotImplementedError

    def fit(self):
        for epoch in range(self.conf.epochs):
            self.net.train()
            for done, (past, future) in enumerate(self.train, start=1):
                self.accumulate(self.loss(past, future))
                if self.closes_window(done):
                    self.optim.step()
                    self.optim.zero_grad()
            yield epoch, self.validate()
