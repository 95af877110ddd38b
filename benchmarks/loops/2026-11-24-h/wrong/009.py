from functools import partial

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Denoiser(nn.Module):
    def __init__(self, dim=2, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim + 1, width), nn.GELU(), nn.Linear(width, dim))

    def forward(self, x, t):
        return self.net(torch.cat([x, t[:, None]], dim=1))


class GaussianDiffusion:
    def __init__(self, steps=50):
        self.steps = steps
        self.alpha_bar = torch.cumprod(1 - torch.linspace(1e-4, 0.05, steps), 0)

    def p_losses(self, model, x0):
        t = torch.randint(0, self.steps, (len(x0),))
        a = self.alpha_bar[t][:, None]
        noise = torch.randn_like(x0)
        xt = a.sqrt() * x0 + (1 - a).sqrt() * noise
        return nn.functional.mse_loss(model(xt, t / self.steps), noise)


class Trainer:
    def __init__(self, model, diffusion, sampler, *, gradient_accumulate_every=2, max_grad_norm=1.0, train_num_steps=20):
        self.model, self.diffusion, self.sampler = model, diffusion, sampler
        self.gradient_accumulate_every = gradient_accumulate_every
        self.max_grad_norm = max_grad_norm
        self.train_num_steps = train_num_steps
        self.opt = torch.optim.Adam(model.parameters(), lr=2e-3, betas=(0.9, 0.99))
        self.ema = {k: v.clone() for k, v in model.state_dict().items()}
        self.step = 0

    @torch.no_grad()
    def update_ema(self, decay=0.99):
        for k, v in self.model.state_dict().items():
            self.ema[k].lerp_(v, 1 - decay)

    def train(self):
        while self.step < self.train_num_steps:
            self.model.train()
            total_loss = 0.0
            for _ in range(self.gradient_accumulate_every):
                loss = self.diffusion.p_losses(self.model, self.sampler())
                loss = loss / self.gradient_accumulate_every
                total_loss += loss.item()
                loss.backward()
                clip_grad_norm_(self.model.parameters(), self.max_grad_norm)
            self.opt.step()
            self.opt.zero_grad()
            self.update_ema()
            self.step += 1
        print(f"loss: {total_loss:.4f}")


def swiss(n):
    th = torch.rand(n) * 9
    return torch.stack([th.cos() * th, th.sin() * th], 1) / 5


if __name__ == "__main__":
    torch.manual_seed(0)
    Trainer(Denoiser(), GaussianDiffusion(), partial(swiss, 64), gradient_accumulate_every=4).train()
