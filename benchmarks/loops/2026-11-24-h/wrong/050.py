import copy
import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
T = 50
betas = torch.linspace(1e-4, 0.05, T, device=device)
abar = torch.cumprod(1 - betas, 0)


class EpsNet(nn.Module):
    def __init__(self, d=2, h=64):
        super().__init__()
        self.time = nn.Embedding(T, h)
        self.inp = nn.Linear(d, h)
        self.mid = nn.Sequential(nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, d))

    def forward(self, x, t):
        return self.mid(self.inp(x) + self.time(t))


class EMA:
    def __init__(self, net, decay):
        self.shadow = copy.deepcopy(net).eval().requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, net):
        for s, p in zip(self.shadow.parameters(), net.parameters()):
            s.lerp_(p, 1 - self.decay)


def moons(batch):
    while True:
        a = torch.rand(batch, device=device) * torch.pi
        side = torch.randint(0, 2, (batch,), device=device) * 2 - 1
        yield torch.stack([a.cos() + 0.5 * (side < 0), a.sin() * side], 1)


def main(n_steps=120):
    torch.manual_seed(0)
    net = EpsNet().to(device)
    ema = EMA(net, 0.98)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(opt, n_steps)
    for k, x0 in enumerate(itertools.islice(moons(128), n_steps)):
        opt.zero_grad(set_to_none=True)
        t = torch.randint(0, T, (len(x0),), device=device)
        eps = torch.randn_like(x0)
        xt = abar[t, None].sqrt() * x0 + (1 - abar[t, None]).sqrt() * eps
        with torch.autocast(device, dtype=torch.bfloat16):
            pred = net(xt, t)
            loss = F.mse_loss(pred.float(), eps)
            loss.backward()
        gn = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        cosine.step()
        ema.update(net)
        if k % 30 == 0:
            print(f"{k:4d} loss {loss.item():.4f} |g| {gn.item():.3f}")


if __name__ == "__main__":
    main()
