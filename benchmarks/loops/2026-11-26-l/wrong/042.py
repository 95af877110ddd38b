import torch
from torch import nn

torch.manual_seed(33)
pairs = [(torch.randn(4, 6), torch.randn(4, 6)) for _ in range(10)]
img_tower, txt_tower = nn.Linear(6, 8), nn.Linear(6, 8)
logit_scale = nn.Parameter(torch.tensor(2.0))
optim = torch.optim.AdamW([*img_tower.parameters(), *txt_tower.parameters(), logit_scale], lr=3e-3)
GRAD_ACCUM = 4


def clip_loss(i, t):
    i = nn.functional.normalize(img_tower(i), dim=-1)
    t = nn.functional.normalize(txt_tower(t), dim=-1)
    logits = logit_scale.exp() * i @ t.T
    tgt = torch.arange(len(logits))
    return (nn.functional.cross_entropy(logits, tgt) + nn.functional.cross_entropy(logits.T, tgt)) / 2


for epoch in range(4):
    pending = 0
    running = 0.0
    for img, txt in pairs:
        loss = clip_loss(img, txt)
        running += loss.item()
        (loss / GRAD_ACCUM).backward()
        pending += 1
        if pending == GRAD_ACCUM:
            optim.step()
            optim.zero_grad()
            pending = 0
    print(epoch, running / len(pairs))
