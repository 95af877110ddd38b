import torch
from torch import autograd, nn
from torch.cuda.amp import GradScaler, autocast

from sr.data import patch_loader
from sr.nets import Discriminator, RRDBNet


class PenalisedCritic:
    def __init__(self, net: nn.Module, scaler: GradScaler, weight: float = 5.0):
        self.net = net
        self.scaler = scaler
        self.weight = weight
        self.optimizer = torch.optim.Adam(net.parameters(), lr=1e-4, betas=(0.9, 0.99))

    def r1(self, real):
        real = real.detach().requires_grad_(True)
        with autocast():
            score = self.net(real).sum()
        (scaled,) = autograd.grad(self.scaler.scale(score), real, create_graph=True)
        grad = scaled * (1.0 / self.scaler.get_scale())
        with autocast():
            return grad.square().sum(dim=(1, 2, 3)).mean()

    def loss(self, real, fake, penalise):
        with autocast():
            value = nn.functional.softplus(-self.net(real)).mean() + nn.functional.softplus(self.net(fake)).mean()
        if penalise:
            value = value + 0.5 * self.weight * self.r1(real)
        return value

    def update(self, real, fake, penalise):
        loss = self.loss(real, fake.detach(), penalise)
        self.optimizer.zero_grad()
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(self.net.parameters(), 10.0)
        self.scaler.step(self.optimizer)
        return loss.item()


def main(root, epochs=200, every=16):
    gen, scaler = RRDBNet().cuda(), GradScaler()
    critic = PenalisedCritic(Discriminator().cuda(), scaler)
    opt_g = torch.optim.Adam(gen.parameters(), lr=2e-4, betas=(0.9, 0.99))
    n = 0
    for epoch in range(epochs):
        gen.train()
        for low, high in patch_loader(root):
            low, high = low.cuda(), high.cuda()
            with autocast():
                fake = gen(low)
                critic.net.requires_grad_(False)
                adv = nn.functional.softplus(-critic.net(fake)).mean()
                g_loss = nn.functional.l1_loss(fake, high) + 5e-3 * adv
            opt_g.zero_grad()
            scaler.scale(g_loss).backward()
            scaler.step(opt_g)
            critic.net.requires_grad_(True)
            d_loss = critic.update(high, fake, n % every == 0)
            scaler.update()
            n += 1
        print(epoch, g_loss.item(), d_loss)
