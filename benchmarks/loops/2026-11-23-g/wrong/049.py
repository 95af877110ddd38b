import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.fc, self.drop = nn.Linear(d, d), nn.Dropout(0.2)

    def forward(self, h):
        return h + self.drop(torch.relu(self.fc(h)))


class ScoreNet(nn.Module):
    def __init__(self, d=4, width=16):
        super().__init__()
        self.inp = nn.Linear(d + 1, width)
        self.mid = nn.Sequential(Block(width), Block(width))
        self.out = nn.Linear(width, d)

    def forward(self, x, sigma):
        return self.out(self.mid(self.inp(torch.cat([x, sigma.log()], 1)))) / sigma


class ScoreMatching:
    def __init__(self, data, lr=2e-3):
        self.data = data
        self.net = ScoreNet()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.ema_loss = None

    def dsm(self, x):
        sigma = torch.rand(len(x), 1) * 0.9 + 0.1
        eps = torch.randn_like(x)
        s = self.net(x + sigma * eps, sigma)
        return ((s * sigma + eps) ** 2).sum(1).mean()

    @torch.no_grad()
    def sample(self, n=8, steps=10):
        self.net.eval()
        x = torch.randn(n, 4)
        for s in torch.linspace(1.0, 0.1, steps):
            sigma = s.expand(n, 1)
            x = x + 0.1 * sigma ** 2 * self.net(x, sigma) + 0.1 * sigma * torch.randn_like(x)
        return x

    def train(self, iterations, sample_every):
        self.net.train()
        for it in range(1, iterations + 1):
            batch = self.data[torch.randperm(len(self.data))[:32]]
            loss = self.dsm(batch)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.ema_loss = loss if self.ema_loss is None else 0.95 * self.ema_loss + 0.05 * loss
            if it % sample_every == 0:
                spread = self.sample().std().item()
                print(it, f"{self.ema_loss.item():.3f}", f"std {spread:.2f}")


torch.manual_seed(0)
ScoreMatching(torch.randn(200, 4) * 0.5 + 1.0).train(30, 10)
