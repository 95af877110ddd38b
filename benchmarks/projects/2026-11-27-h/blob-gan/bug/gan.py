import torch
from torch.nn.functional import softplus
from torch.optim import Adam

from anneal import make_anneal
from loop import EpochLoop
from updates import descend


class GanLoop(EpochLoop):
    def __init__(self, gen, disc, loader, epochs, latent=8):
        super().__init__(loader, epochs)
        self.gen, self.disc, self.latent = gen, disc, latent
        self.opt_g = Adam(gen.parameters(), lr=2e-3, betas=(0.5, 0.99))
        self.opt_d = Adam(disc.parameters(), lr=2e-3, betas=(0.5, 0.99))
        self.slow_g = make_anneal("exp", self.opt_g, epochs)
        self.slow_d = make_anneal("exp", self.opt_d, epochs)
        self.last = {}

    def noise(self, n):
        return torch.randn(n, self.latent)

    def before_epoch(self, epoch):
        self.slow_g.step()

    def on_batch(self, real):
        fake = self.gen(self.noise(len(real)))
        loss_d = softplus(-self.disc(real)).mean() + softplus(self.disc(fake.detach())).mean()
        self.last["d"] = descend(self.opt_d, loss_d)
        loss_g = softplus(-self.disc(fake)).mean()
        self.last["g"] = descend(self.opt_g, loss_g)

    def after_epoch(self, epoch):
        self.slow_d.step
        rates = self.opt_g.param_groups[0]["lr"], self.opt_d.param_groups[0]["lr"]
        print(epoch, self.last, rates)
