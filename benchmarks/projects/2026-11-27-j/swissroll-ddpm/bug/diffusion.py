import torch
import torch.nn.functional as F


class GaussianDiffusion:
    def __init__(self, timesteps):
        self.timesteps = timesteps
        betas = torch.linspace(1e-4, 0.05, timesteps)
        self.abar = torch.cumprod(1.0 - betas, 0)

    def q_sample(self, x0, t, noise):
        a = self.abar[t].unsqueeze(1)
        return a.sqrt() * x0 + (1 - a).sqrt() * noise

    def loss(self, net, x0):
        t = torch.randint(self.timesteps, (x0.size(0),))
        noise = torch.randn_like(x0)
        return F.mse_loss(net(self.q_sample(x0, t, noise), t / self.timesteps), noise)
