import torch
from torch import autograd, nn
from torch.cuda.amp import GradScaler, autocast

from inpaint.data import make_loader
from inpaint.nets import Critic, Painter


def penalty(critic, real, fake, weight=10.0):
    mix = torch.rand(real.size(0), 1, 1, 1, device=real.device)
    x = (mix * real + (1 - mix) * fake).requires_grad_(True)
    score = critic(x)
    (grad,) = autograd.grad(score.sum(), x, create_graph=True)
    return weight * (grad.flatten(1).norm(dim=1) - 1).square().mean()


class Inpainter:
    def __init__(self, cfg):
        self.painter, self.critic = Painter().cuda(), Critic().cuda()
        self.opt_p = torch.optim.Adam(self.painter.parameters(), cfg.lr, betas=(0.5, 0.9))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), cfg.lr, betas=(0.5, 0.9))
        self.scaler = GradScaler()
        self.cfg = cfg

    def critic_step(self, real, masked):
        self.opt_c.zero_grad()
        with torch.no_grad(), autocast():
            fake = self.painter(masked)
        with autocast():
            w_loss = self.critic(fake).mean() - self.critic(real).mean()
        self.scaler.scale(w_loss).backward()
        gp = penalty(self.critic, real, fake.float())
        gp.backward()
        self.scaler.step(self.opt_c)
        return w_loss.item(), gp.item()

    def painter_step(self, real, masked):
        self.opt_p.zero_grad()
        with autocast():
            fake = self.painter(masked)
            loss = nn.functional.l1_loss(fake, real) - self.cfg.adv * self.critic(fake).mean()
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt_p)
        return loss.item()

    def fit(self):
        for epoch in range(self.cfg.epochs):
            self.painter.train()
            for i, (real, masked) in enumerate(make_loader(self.cfg)):
                real, masked = real.cuda(), masked.cuda()
                w, gp = self.critic_step(real, masked)
                if i % self.cfg.n_critic == 0:
                    self.painter_step(real, masked)
                self.scaler.update()
                if i % 200 == 0:
                    print(f"{epoch}.{i} w {w:.3f} gp {gp:.3f}")
