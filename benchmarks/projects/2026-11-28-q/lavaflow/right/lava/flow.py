from torch.nn import functional as F

from lava.precision import make_scaler, molten
from lava.probes import probe


class Flow:
    def __init__(self, config, net, optimizer):
        self.config, self.net, self.optimizer = config, net, optimizer
        self.scaler = make_scaler(config)
        self.probes = []

    def erupt(self, slopes, held):
        self.net.train()
        for step, (rock, heat) in enumerate(slopes):
            with molten(self.config):
                loss = F.mse_loss(self.net(rock), heat)
            self.optimizer.zero_grad()
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
            if step % self.config.probe_every == 0:
                self.probes.append(probe(self.net, held))
