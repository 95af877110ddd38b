"""A small VAE whose KL weight is annealed with the samples, its rate with the updates."""
import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

ACCUM, EPOCHS = 3, 4


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(10, 2 * 3)
        self.dec = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 10))

    def forward(self, x):
        mean, logvar = self.enc(x).chunk(2, -1)
        z = mean + torch.randn_like(mean) * (0.5 * logvar).exp()
        kl = 0.5 * (mean.pow(2) + logvar.exp() - 1 - logvar).sum(-1).mean()
        return self.dec(z), kl


class Annealed:
    """Any schedule of torch for a number that is no learning rate."""

    def __init__(self, fn):
        self.holder = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
        self.schedule = LambdaLR(self.holder, fn)
        self.holder.step()

    @property
    def value(self):
        return self.schedule.get_last_lr()[0]

    def step(self):
        self.schedule.step()


def train(record):
    torch.manual_seed(8)
    vae = VAE()
    batches = torch.randn(12, 16, 10).tanh()
    opt = torch.optim.Adam(vae.parameters(), lr=3e-3)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(opt, 0.97)
    beta = Annealed(lambda seen: min(1.0, seen / (EPOCHS * 6)))
    opt.zero_grad()
    for _ in range(EPOCHS):
        for i, x in enumerate(batches):
            out, kl = vae(x)
            loss = nn.functional.mse_loss(out, x, reduction="none").sum(-1).mean() + beta.value * kl
            (loss / ACCUM).backward()
            beta.step()
            if (i + 1) % ACCUM == 0:
                opt.step()
                record(list(vae.parameters()))
                scheduler.step()
                opt.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
