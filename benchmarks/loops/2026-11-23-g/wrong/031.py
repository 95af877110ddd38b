import copy
import torch
import torch.nn as nn
import torch.nn.functional as F


class Denoiser(nn.Module):
    def __init__(self, dim=6, hidden=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim + 1, hidden), nn.SiLU(), nn.Linear(hidden, dim))

    def forward(self, x, t):
        return self.net(torch.cat([x, t[:, None]], dim=-1))


class GaussianDiffusion:
    def __init__(self, timesteps=50):
        betas = torch.linspace(1e-4, 0.05, timesteps)
        self.alpha_bar = torch.cumprod(1 - betas, 0)
        self.timesteps = timesteps

    def p_losses(self, model, x0):
        t = torch.randint(0, self.timesteps, (x0.size(0),))
        a = self.alpha_bar[t][:, None]
        noise = torch.randn_like(x0)
        noisy = a.sqrt() * x0 + (1 - a).sqrt() * noise
        return F.mse_loss(model(noisy, t / self.timesteps), noise)


class Trainer:
    def __init__(self, model, diffusion, data, batch_size=24, micro_batch=8, lr=2e-3, decay=0.99):
        self.model, self.diffusion, self.data = model, diffusion, data
        self.batch_size, self.micro_batch = batch_size, micro_batch
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)
        self.shadow = copy.deepcopy(model).requires_grad_(False)
        self.decay = decay

    def forward_backward(self, batch):
        logged = 0.0
        for micro in batch.split(self.micro_batch):
            loss = self.diffusion.p_losses(self.model, micro)
            (loss / self.micro_batch).backward()
            logged += loss.item()
        return logged / (len(batch) // self.micro_batch)

    @torch.no_grad()
    def update_shadow(self):
        for s, p in zip(self.shadow.parameters(), self.model.parameters()):
            s.lerp_(p, 1 - self.decay)

    def run_loop(self, steps):
        for step in range(steps):
            idx = torch.randint(0, len(self.data), (self.batch_size,))
            self.opt.zero_grad()
            value = self.forward_backward(self.data[idx])
            self.opt.step()
            self.update_shadow()
            if step % 5 == 0:
                print(f"step {step}: mse {value:.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    Trainer(Denoiser(), GaussianDiffusion(), torch.randn(128, 6)).run_loop(15)
