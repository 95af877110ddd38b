"""pix2pix-style translation with an L1 term."""
import functools

import torch
import torch.nn as nn

device = "cuda" if torch.cuda.is_available() else "cpu"
autocast = functools.partial(torch.autocast, device_type=device, dtype=torch.float16)
LAMBDA = 20.0


def block(i, o, act=True):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), *([nn.LeakyReLU(0.2)] if act else []))


class Patch(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = nn.Sequential(block(2, 8), nn.AvgPool2d(2), block(8, 8), block(8, 1, act=False))

    def forward(self, a, b):
        return self.m(torch.cat([a, b], 1))


def set_requires_grad(net, flag):
    for p in net.parameters():
        p.requires_grad = flag


class Pix2Pix:
    def __init__(self):
        self.G = nn.Sequential(block(1, 8), block(8, 8), block(8, 1, act=False), nn.Tanh()).to(device)
        self.D = Patch().to(device)
        self.opt_G = torch.optim.Adam(self.G.parameters(), 2e-4, betas=(0.5, 0.999))
        self.opt_D = torch.optim.Adam(self.D.parameters(), 2e-4, betas=(0.5, 0.999))
        self.scaler = torch.amp.GradScaler(device, init_scale=256.0)
        self.bce, self.l1 = nn.BCEWithLogitsLoss(), nn.L1Loss()

    def gan(self, pred, real):
        return self.bce(pred.float(), torch.full_like(pred, float(real), dtype=torch.float32))

    def optimize_parameters(self, a, b):
        with autocast():
            fake = self.G(a)

        set_requires_grad(self.D, True)
        self.opt_D.zero_grad()
        with autocast():
            loss_D = 0.5 * (self.gan(self.D(a, b), True) + self.gan(self.D(a, fake.detach()), False))
        self.scaler.scale(loss_D).backward()
        self.scaler.step(self.opt_D)

        set_requires_grad(self.D, False)
        self.opt_G.zero_grad()
        with autocast():
            loss_G = self.gan(self.D(a, fake), True) + LAMBDA * self.l1(fake.float(), b)
        self.scaler.scale(loss_G).backward()
        self.opt_G.step()

        self.scaler.update()
        return {"D": loss_D.item(), "G": loss_G.item()}


if __name__ == "__main__":
    torch.manual_seed(0)
    edges = torch.rand(32, 1, 8, 8, device=device)
    photo = (edges * 2 - 1).flip(-1)
    model = Pix2Pix()
    for epoch in range(3):
        for sel in torch.randperm(32).split(8):
            losses = model.optimize_parameters(edges[sel], photo[sel])
        print(epoch, {k: round(v, 3) for k, v in losses.items()})
