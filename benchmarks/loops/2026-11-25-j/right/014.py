import itertools

import torch
from torch import nn

torch.manual_seed(114)
text_tower, image_tower = nn.Linear(12, 8), nn.Linear(20, 8)
log_temp = nn.Parameter(torch.tensor(1.0))


def trainable():
    return itertools.chain(text_tower.parameters(), image_tower.parameters(), [log_temp])


opt = torch.optim.AdamW(trainable(), lr=1e-2)
for step in range(10):
    latent = torch.randn(16, 4)
    text = torch.cat([latent, torch.randn(16, 8)], 1)
    image = torch.cat([latent * 2, torch.randn(16, 16)], 1)
    t = nn.functional.normalize(text_tower(text), dim=-1)
    v = nn.functional.normalize(image_tower(image), dim=-1)
    logits = log_temp.exp() * t @ v.T
    target = torch.arange(16)
    loss = (nn.functional.cross_entropy(logits, target) + nn.functional.cross_entropy(logits.T, target)) / 2
    opt.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(trainable(), 0.2)
    opt.step()
    with torch.no_grad():
        log_temp.clamp_(0, 4.6)
    print(f"{step}: clip loss {loss.item():.3f} grad {norm.item():.3f}")
