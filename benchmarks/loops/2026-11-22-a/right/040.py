import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.amp import GradScaler, autocast
from torch.utils.data import DataLoader

from colour.data import GrayColourPairs
from colour.nets import Discriminator, UNetGenerator


class Colouriser:
    def __init__(self, lr_g=2e-4, lr_d=2e-4, lambda_l1=100.0, clip=1.0):
        self.g, self.d = UNetGenerator(1, 2).cuda(), Discriminator(3).cuda()
        self.opt_g = torch.optim.Adam(self.g.parameters(), lr=lr_g, betas=(0.5, 0.999))
        self.opt_d = torch.optim.Adam(self.d.parameters(), lr=lr_d, betas=(0.5, 0.999))
        self.scaler = GradScaler("cuda")
        self.lambda_l1, self.clip = lambda_l1, clip

    def losses_d(self, l, ab, fake):
        real_score = self.d(torch.cat([l, ab], 1))
        fake_score = self.d(torch.cat([l, fake.detach()], 1))
        return F.softplus(-real_score).mean() + F.softplus(fake_score).mean()

    def losses_g(self, l, ab, fake):
        return F.softplus(-self.d(torch.cat([l, fake], 1))).mean() + self.lambda_l1 * F.l1_loss(fake, ab)

    def apply(self, optimizer, net):
        self.scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(net.parameters(), self.clip)
        self.scaler.step(optimizer)

    def step(self, l, ab):
        with autocast("cuda"):
            fake = self.g(l)
            loss_d = self.losses_d(l, ab, fake)
        self.opt_d.zero_grad()
        self.scaler.scale(loss_d).backward()
        self.apply(self.opt_d, self.d)

        self.d.requires_grad_(False)
        with autocast("cuda"):
            loss_g = self.losses_g(l, ab, fake)
        self.opt_g.zero_grad()
        self.scaler.scale(loss_g).backward()
        self.apply(self.opt_g, self.g)
        self.d.requires_grad_(True)
        self.scaler.update()
        return loss_d.item(), loss_g.item()


if __name__ == "__main__":
    model = Colouriser()
    loader = DataLoader(GrayColourPairs("coco/train2017"), batch_size=16, shuffle=True, num_workers=8)
    for epoch in range(20):
        for n, (l, ab) in enumerate(loader):
            d, g = model.step(l.cuda(), ab.cuda())
            if n % 200 == 0:
                print(epoch, n, f"D {d:.3f} G {g:.3f}")
