import copy

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader


def cycle(dl):
    while True:
        for data in dl:
            yield data


class Diffusion(nn.Module):
    def __init__(self, dim=5, T=20):
        super().__init__()
        self.eps = nn.Sequential(nn.Linear(dim + 1, 24), nn.SiLU(), nn.Dropout(0.1), nn.Linear(24, dim))
        self.register_buffer("abar", torch.cumprod(1 - torch.linspace(1e-3, 0.2, T), 0))

    def forward(self, x):
        t = torch.randint(0, len(self.abar), (len(x),))
        a, noise = self.abar[t, None], torch.randn_like(x)
        inp = torch.cat([a.sqrt() * x + (1 - a).sqrt() * noise, t[:, None] / len(self.abar)], 1)
        return F.mse_loss(self.eps(inp), noise)

    @torch.inference_mode()
    def denoise_once(self, x):
        return x - self.eps(torch.cat([x, torch.ones(len(x), 1)], 1))


class Trainer:
    def __init__(self, model, data, *, train_batch_size=8, gradient_accumulate_every=2, train_lr=1e-3, train_num_steps=20, save_every=10):
        self.model = model
        self.ema = copy.deepcopy(model).eval()
        self.ema.requires_grad_(False)
        self.dl = cycle(DataLoader(data, train_batch_size, shuffle=True))
        self.every = gradient_accumulate_every
        self.opt = torch.optim.Adam(model.parameters(), lr=train_lr, betas=(0.9, 0.99))
        self.step, self.total, self.save_every = 0, train_num_steps, save_every

    def ema_step(self, beta=0.9):
        for e, p in zip(self.ema.parameters(), self.model.parameters()):
            e.data.mul_(beta).add_(p.data, alpha=1 - beta)

    def train(self):
        while self.step < self.total:
            total_loss = 0.0
            for _ in range(self.every):
                loss = self.model(next(self.dl))
                loss = loss / self.every
                total_loss += loss.item()
                loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.opt.step()
            self.opt.zero_grad()
            self.step += 1
            self.ema_step()
            if self.step % self.save_every == 0:
                self.ema.eval()
                sample = self.ema.denoise_once(torch.randn(4, 5))
                print(self.step, f"{total_loss:.3f}", sample.shape)


torch.manual_seed(0)
Trainer(Diffusion(), torch.randn(64, 5)).train()
