import torch


class NoiseSchedule:
    def __init__(self, steps):
        self.steps = steps
        self.betas = torch.linspace(1e-3, 0.25, steps)
        self.alphas = torch.cumprod(1 - self.betas, 0)

    def corrupt(self, x, noise, t):
        keep = self.alphas[t].unsqueeze(1)
        return keep.sqrt() * x + (1 - keep).sqrt() * noise

    @torch.no_grad()
    def sample(self, model, count):
        x = torch.randn(count, 2)
        for step in reversed(range(self.steps)):
            t = torch.full((count,), step)
            noise = model(x, t)
            beta, alpha = self.betas[step], self.alphas[step]
            x = (x - beta / (1 - alpha).sqrt() * noise) / (1 - beta).sqrt()
            if step:
                x = x + beta.sqrt() * torch.randn_like(x)
        return x
