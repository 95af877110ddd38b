import itertools

import torch
import torch.nn as nn
from torch.cuda import amp

from pix.losses import gan_loss, perceptual
from pix.networks import PatchDiscriminator, ResnetGenerator


class Pix2PixHD:
    def __init__(self, opt):
        self.opt = opt
        self.netG = ResnetGenerator(opt.in_ch, opt.out_ch).cuda()
        self.netD = PatchDiscriminator(opt.in_ch + opt.out_ch).cuda()
        self.optimizer_G = torch.optim.Adam(self.netG.parameters(), lr=opt.lr, betas=(0.5, 0.999))
        self.optimizer_D = torch.optim.Adam(self.netD.parameters(), lr=opt.lr, betas=(0.5, 0.999))
        self.scaler = amp.GradScaler()

    def optimize_parameters(self, real_a, real_b):
        with amp.autocast():
            fake_b = self.netG(real_a)
            pred_fake = self.netD(torch.cat([real_a, fake_b.detach()], 1))
            pred_real = self.netD(torch.cat([real_a, real_b], 1))
            loss_d = 0.5 * (gan_loss(pred_fake, False) + gan_loss(pred_real, True))
        self.optimizer_D.zero_grad()
        self.scaler.scale(loss_d).backward()
        nn.utils.clip_grad_norm_(self.netD.parameters(), self.opt.clip_d)
        self.scaler.step(self.optimizer_D)

        self.netD.requires_grad_(False)
        with amp.autocast():
            pred_fake = self.netD(torch.cat([real_a, fake_b], 1))
            loss_g = gan_loss(pred_fake, True) + self.opt.lambda_p * perceptual(fake_b, real_b)
        self.optimizer_G.zero_grad()
        self.scaler.scale(loss_g).backward()
        self.scaler.unscale_(self.optimizer_G)
        nn.utils.clip_grad_norm_(self.netG.parameters(), self.opt.clip_g)
        self.scaler.step(self.optimizer_G)
        self.scaler.update()
        self.netD.requires_grad_(True)
        return loss_d.item(), loss_g.item()


def train(opt, loader):
    model = Pix2PixHD(opt)
    for step, (a, b) in enumerate(itertools.chain.from_iterable(itertools.repeat(loader, opt.epochs))):
        d, g = model.optimize_parameters(a.cuda(), b.cuda())
        if step % 50 == 0:
            print(f"{step:>7} D {d:.3f} G {g:.3f}")
