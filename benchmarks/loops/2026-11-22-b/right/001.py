import itertools

import torch
import torch.nn.functional as F
from torch import nn


class LatentCritic(nn.Sequential):
    def __init__(self, latent: int):
        super().__init__(nn.Linear(latent, 256), nn.LeakyReLU(0.2), nn.Linear(256, 1))


class AAETrainer:
    def __init__(self, encoder: nn.Module, decoder: nn.Module, latent: int, window: int = 4):
        self.encoder, self.decoder, self.latent = encoder, decoder, latent
        self.critic = LatentCritic(latent)
        ae_params = list(itertools.chain(encoder.parameters(), decoder.parameters()))
        self.opt_ae = torch.optim.Adam(ae_params, lr=1e-3)
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=2e-4, betas=(0.5, 0.999))
        self.window = window
        self.filled = 0

    def critic_update(self, code):
        prior = torch.randn_like(code)
        score = self.critic(torch.cat([prior, code.detach()])).squeeze(1)
        real, fake = score.chunk(2)
        loss = F.softplus(-real).mean() + F.softplus(fake).mean()
        self.opt_c.zero_grad()
        loss.backward()
        self.opt_c.step()
        return loss.item()

    def autoencoder_micro(self, x, code):
        self.critic.requires_grad_(False)
        recon = F.binary_cross_entropy_with_logits(self.decoder(code), x)
        fool = F.softplus(-self.critic(code)).mean()
        ((recon + 0.1 * fool) / self.window).backward()
        self.critic.requires_grad_(True)
        self.filled += 1
        if self.filled == self.window:
            self.opt_ae.step()
            self.opt_ae.zero_grad()
            self.filled = 0
        return recon.item()

    def batch(self, x):
        code = self.encoder(x)
        d = self.critic_update(code)
        r = self.autoencoder_micro(x, code)
        return d, r

    def fit(self, stream, batches: int):
        assert batches % self.window == 0
        for net in (self.encoder, self.decoder, self.critic):
            net.train()
        for n in range(batches):
            d, r = self.batch(next(stream))
            if n % 200 == 0:
                print(f"{n} critic {d:.4f} recon {r:.4f}")
