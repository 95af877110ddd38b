import torch
import torch.nn.functional as F

from .registry import UPDATES


class Update:
    def __init__(self, gen, disc, opt_g, opt_d, z_dim):
        self.gen, self.disc = gen, disc
        self.opt_g, self.opt_d = opt_g, opt_d
        self.z_dim = z_dim

    def noise(self, n):
        return torch.randn(n, self.z_dim)

    @torch.no_grad()
    def sample(self, n):
        return self.gen(self.noise(n))


@UPDATES.register("vanilla")
class VanillaUpdate(Update):
    def discriminator(self, real):
        fake = self.gen(self.noise(len(real))).detach()
        p_real, p_fake = self.disc(real), self.disc(fake)
        loss = F.softplus(-p_real).mean() + F.softplus(p_fake).mean()
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        return {"d_loss": loss}

    def generator(self, n):
        loss = F.softplus(-self.disc(self.gen(self.noise(n)))).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        return {"g_loss": loss}


@UPDATES.register("hinge")
class HingeUpdate(Update):
    def discriminator(self, real):
        with torch.no_grad():
            fake = self.gen(self.noise(len(real)))
        d_real = F.relu(1.0 - self.disc(real)).mean()
        d_fake = F.relu(1.0 + self.disc(fake)).mean()
        loss = d_real + d_fake
        loss.backward()
        self.opt_d.step()
        return {"d_loss": loss, "d_real": d_real}

    def generator(self, n):
        self.opt_g.zero_grad()
        loss = -self.disc(self.gen(self.noise(n))).mean()
        loss.backward()
        self.opt_g.step()
        return {"g_loss": loss}
