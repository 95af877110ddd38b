"""Image translation toy: generator and discriminator share a scaler, one update() closes each iteration."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def block(i, o):
    return nn.Sequential(nn.Linear(i, 20), nn.LeakyReLU(0.1), nn.Linear(20, o))


class Pix:
    lambda_l1 = 5.0

    def __init__(self):
        self.netG, self.netD = block(16, 16), block(32, 1)
        self.optG = torch.optim.Adam(self.netG.parameters(), lr=2e-3, betas=(0.5, 0.999))
        self.optD = torch.optim.Adam(self.netD.parameters(), lr=2e-3, betas=(0.5, 0.999))
        self.scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
        self.cast = lambda: torch.autocast("cpu", dtype=torch.float16)

    def _adv(self, a, b, real):
        with self.cast():
            out = self.netD(torch.cat([a, b], 1))
        return F.binary_cross_entropy_with_logits(out.float(), torch.full_like(out, real, dtype=torch.float32))

    def _clip(self, opt, net):
        self.scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        self.scaler.step(opt)

    def optimize(self, a, b):
        with self.cast():
            fake = self.netG(a)
        self.netD.requires_grad_(True)
        self.optD.zero_grad()
        loss_d = (self._adv(a, fake.detach(), 0.0) + self._adv(a, b, 1.0)) / 2
        self.scaler.scale(loss_d).backward()
        self._clip(self.optD, self.netD)

        self.netD.requires_grad_(False)
        self.optG.zero_grad()
        loss_g = self._adv(a, fake, 1.0) + self.lambda_l1 * (fake.float() - b).abs().mean()
        self.scaler.scale(loss_g).backward()
        self._clip(self.optG, self.netG)
        self.scaler.update()
        return loss_d.item(), loss_g.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    job = Pix()
    for it in range(12):
        edges = torch.rand(10, 16)
        d, g = job.optimize(edges, edges.flip(1))
        if it % 4 == 3:
            print(f"it {it + 1} D {d:.4f} G {g:.4f}")
