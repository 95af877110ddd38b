import torch
import torch.nn.functional as F
from torch import nn
from torch.cuda.amp import GradScaler, autocast
from torch.utils.data import DataLoader

from style.nets import Mapping, PatchDiscriminator, Synthesis


class StyleGAN:
    def __init__(self, latent=512, n_critic=2, device="cuda"):
        self.device, self.latent, self.n_critic = device, latent, n_critic
        self.mapping = Mapping(latent).to(device)
        self.synthesis = Synthesis(latent).to(device)
        self.disc = PatchDiscriminator().to(device)
        gen = [*self.mapping.parameters(), *self.synthesis.parameters()]
        self.opts = {
            "g": torch.optim.Adam(gen, lr=2e-3, betas=(0.0, 0.99)),
            "d": torch.optim.Adam(self.disc.parameters(), lr=2e-3, betas=(0.0, 0.99)),
        }
        self.scaler = GradScaler()

    def generate(self, n):
        return self.synthesis(self.mapping(torch.randn(n, self.latent, device=self.device)))

    def apply(self, name, loss, limit):
        opt = self.opts[name]
        opt.zero_grad(set_to_none=True)
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(opt.param_groups[0]["params"], limit)
        self.scaler.step(opt)
        return loss.item()

    def d_loss(self, real):
        with autocast():
            with torch.no_grad():
                fake = self.generate(real.size(0))
        with autocast():
            return F.softplus(self.disc(fake)).mean() + F.softplus(-self.disc(real)).mean()

    def g_loss(self, n):
        with autocast():
            return F.softplus(-self.disc(self.generate(n))).mean()

    def iterate(self, real, it):
        metrics = {"d": self.apply("d", self.d_loss(real), 10.0)}
        if it % self.n_critic == 0:
            metrics["g"] = self.apply("g", self.g_loss(real.size(0)), 1.0)
        self.scaler.update()
        return metrics

    def fit(self, loader: DataLoader, iterations: int):
        for net in (self.mapping, self.synthesis, self.disc):
            net.train()
        it = 0
        while it < iterations:
            for (real,) in loader:
                metrics = self.iterate(real.to(self.device), it)
                it += 1
                if it % 100 == 0:
                    print(it, metrics, self.scaler.get_scale())
