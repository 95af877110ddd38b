from contextlib import nullcontext

import torch
from torch import nn


def pick_device():
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


class MixerBlock(nn.Module):
    def __init__(self, tokens, dim):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.token = nn.Linear(tokens, tokens)
        self.channel = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.token(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channel(self.norm2(x))


class Mixer(nn.Module):
    def __init__(self, tokens=9, dim=16, depth=2, classes=5):
        super().__init__()
        self.blocks = nn.Sequential(*[MixerBlock(tokens, dim) for _ in range(depth)])
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        return self.head(self.blocks(x).mean(1))


def train(use_amp=True, iters=20):
    device = pick_device()
    net = Mixer().to(device)
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler(device.type, enabled=use_amp)
    ctx = torch.autocast(device.type, dtype=torch.bfloat16) if use_amp else nullcontext()

    for i in range(iters):
        x = torch.randn(8, 9, 16, device=device)
        y = torch.randint(0, 5, (8,), device=device)
        opt.zero_grad(set_to_none=True)
        with ctx:
            loss = nn.functional.cross_entropy(net(x), y)
            scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        if i % 10 == 0:
            print(i, loss.item())


if __name__ == "__main__":
    train()
