"""Contrastive learning against a queue of keys, with a term that spreads the codes."""
from collections import deque

import torch
from torch import nn
from torch.nn import functional as F


def augment(x):
    return x + 0.2 * torch.randn_like(x)


def info_nce(query, key, queue, heat=0.2):
    right = (query * key).sum(1, keepdim=True)
    others = query @ torch.cat(list(queue)).T if queue else right[:, :0]
    logits = torch.cat([right, others], dim=1) / heat
    return F.cross_entropy(logits, torch.zeros(len(query), dtype=torch.long))


def train(record):
    torch.manual_seed(165)
    encoder = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 6))
    opt = torch.optim.SGD(encoder.parameters(), lr=0.05, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    queue = deque(maxlen=4)
    for _ in range(30):
        x = torch.randn(16, 8)
        opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            raw = encoder(augment(x))
            other = encoder(augment(x)).detach()
        query, key = F.normalize(raw.float(), dim=1), F.normalize(other.float(), dim=1)
        contrast = info_nce(query, key, queue)
        spread = F.relu(1 - raw.float().std(dim=0)).mean()
        torch.autograd.backward([scaler.scale(contrast), spread])
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(encoder.parameters(), 5.0)
        scaler.step(opt)
        scaler.update()
        record(list(encoder.parameters()))
        queue.append(key)


if __name__ == "__main__":
    train(lambda parameters: None)
