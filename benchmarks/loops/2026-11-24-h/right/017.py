import itertools

import torch
from torch import nn
from torch.amp import GradScaler, autocast

dev = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)


def translator():
    return nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 6)).to(dev)


A2B, B2A = translator(), translator()
judge = nn.Sequential(nn.Linear(6, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1)).to(dev)
opt_ab = torch.optim.Adam(A2B.parameters(), lr=1e-3)
opt_ba = torch.optim.Adam(B2A.parameters(), lr=1e-3)
opt_judge = torch.optim.Adam(judge.parameters(), lr=1e-3)
scaler = GradScaler(dev, init_scale=2.0**10)
l1, bce = nn.L1Loss(), nn.BCEWithLogitsLoss()


def pairs():
    while True:
        yield torch.randn(20, 6).to(dev), (torch.randn(20, 6) * 0.5 + 1).to(dev)


for it, (a, b) in enumerate(itertools.islice(pairs(), 24)):
    opt_ab.zero_grad()
    opt_ba.zero_grad()
    with autocast(dev, dtype=torch.float16):
        fake_b = A2B(a)
        cycle = l1(B2A(fake_b).float(), a) + l1(A2B(B2A(b)).float(), b)
        score = judge(fake_b).float()
        g_loss = bce(score, torch.ones_like(score)) + 5 * cycle
    scaler.scale(g_loss).backward()
    for opt, net in ((opt_ab, A2B), (opt_ba, B2A)):
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        scaler.step(opt)
    scaler.update()

    # the discriminator stays in float32
    opt_judge.zero_grad()
    real, fake = judge(b), judge(fake_b.detach().float())
    d_loss = bce(real, torch.ones_like(real)) + bce(fake, torch.zeros_like(fake))
    d_loss.backward()
    opt_judge.step()
    if it % 8 == 7:
        print(f"{it + 1} G {g_loss.item():.3f} D {d_loss.item():.3f}")
