import torch
from torch.nn import functional as F


class Gaussian:
    def __init__(self, timesteps):
        self.timesteps = timesteps
        beta = torch.linspace(1e-4, 0.2, timesteps)
        self.alpha, self.beta = 1 - beta, beta
        self.alpha_bar = self.alpha.cumprod(0)

    def loss(self, model, x0):
        t = torch.randint(self.timesteps, (len(x0),))
        noise = torch.randn_like(x0)
        a = self.alpha_bar[t][:, None]
        return F.mse_loss(model(a.sqrt() * x0 + (1 - a).sqrt() * noise, t), noise)

    @torch.no_grad()
    def sample(self, model, n, dim=2):
        model.eval()
        x = torch.randn(n, dim)
        for t in reversed(range(self.timesteps)):
            eps = model(x, torch.full((n,), t))
            x = (x - self.beta[t] / (1 - self.alpha_bar[t]).sqrt() * eps) / self.alpha[t].sqrt()
            if t:
                x = x + self.beta[t].sqrt() * torch.randn_like(x)
        return x
