import torch


class Cosine:
    def __init__(self, steps):
        t = torch.linspace(0, 1, steps + 1)
        bar = torch.cos((t + 0.008) / 1.008 * torch.pi / 2) ** 2
        self.bar = (bar / bar[0])[1:].clamp(min=1e-4)
        self.steps = steps

    def corrupt(self, x0, t, eps):
        a = self.bar[t].unsqueeze(-1)
        return a.sqrt() * x0 + (1 - a).sqrt() * eps

    def denoise(self, net, n):
        x = torch.randn(n, 2)
        for k in reversed(range(self.steps)):
            t = torch.full((n,), k)
            eps = net(x, t).float()
            a = self.bar[k]
            x0 = ((x - (1 - a).sqrt() * eps) / a.sqrt()).clamp(-3, 3)
            x = self.corrupt(x0, (t - 1).clamp(min=0), torch.randn_like(x)) if k else x0
        return x
