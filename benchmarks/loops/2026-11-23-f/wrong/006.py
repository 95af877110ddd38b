import torch
import torch.nn as nn
from torch.optim.lr_scheduler import CosineAnnealingLR


def build():
    enc = nn.Sequential(nn.Linear(10, 6), nn.ReLU())
    dec = nn.Linear(6, 10)
    return enc, dec


def pretrain(steps=30, max_norm=0.5):
    enc, dec = build()
    params = list(enc.parameters()) + list(dec.parameters())
    opt = torch.optim.RMSprop(params, lr=1e-3)
    sch = CosineAnnealingLR(opt, T_max=steps)
    data = torch.randn(240, 10)
    for i in range(steps):
        idx = torch.randint(0, len(data), (24,))
        clean = data[idx]
        noisy = clean + 0.2 * torch.randn_like(clean)
        opt.zero_grad()
        rec = dec(enc(noisy))
        loss = ((rec - clean) ** 2).mean()
        loss.backward()
        opt.step()
        gn = nn.utils.clip_grad_norm_(params, max_norm)
        sch.step()
        if i % 10 == 9:
            print(f"it {i + 1} loss {loss.item():.4f} gnorm {gn:.3f}")
    return enc


if __name__ == "__main__":
    torch.manual_seed(0)
    pretrain()
