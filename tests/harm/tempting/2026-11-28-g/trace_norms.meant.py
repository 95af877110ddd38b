import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def make_views(n):
    base = torch.randn(n, 8)
    return base + 0.1 * torch.randn(n, 8), base + 0.1 * torch.randn(n, 8)


def info_nce(a, b, heat=0.2):
    a, b = nn.functional.normalize(a, dim=1), nn.functional.normalize(b, dim=1)
    logits = a @ b.T / heat
    return nn.functional.cross_entropy(logits, torch.arange(len(a)))


def contrastive_epoch(encoder, opt, views, accum, trace, record):
    for i, (left, right) in enumerate(views):
        loss = info_nce(encoder(left), encoder(right))
        (loss / accum).backward()
        norm = clip_grad_norm_(encoder.parameters(), float("inf"))
        trace.append((loss.item(), norm.item()))
        if (i + 1) % accum == 0 or i + 1 == len(views):
            clip_grad_norm_(encoder.parameters(), 0.2)
            opt.step()
            record(list(encoder.parameters()))
            opt.zero_grad()


def train(record):
    torch.manual_seed(73)
    encoder = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 5))
    opt = torch.optim.SGD(encoder.parameters(), lr=0.3, momentum=0.9)
    views = [make_views(12) for _ in range(7)]
    trace = []
    for epoch in range(2):
        contrastive_epoch(encoder, opt, views, 3, trace, record)
        print(epoch, trace[-1])


if __name__ == "__main__":
    train(lambda parameters: None)
