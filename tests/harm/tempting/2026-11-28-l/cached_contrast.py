"""Contrastive training with a cache of gradients: the loss sees the whole batch, the graph only a chunk."""
import torch
from torch import nn
from torch.nn import functional as F

CHUNK = 8


def info_nce(a, b, temperature=0.2):
    logits = F.normalize(a, dim=1) @ F.normalize(b, dim=1).t() / temperature
    return F.cross_entropy(logits, torch.arange(len(a)))


def embed(net, pieces):
    with torch.no_grad():
        return torch.cat([net(piece) for piece in pieces]).requires_grad_()


def train(record):
    torch.manual_seed(17)
    net = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 6))
    opt = torch.optim.SGD(net.parameters(), lr=0.2)
    scaler = torch.amp.GradScaler("cpu", init_scale=512.0, growth_interval=6)
    for _ in range(15):
        base = torch.randn(32, 12)
        left = (base + 0.1 * torch.randn_like(base)).split(CHUNK)
        right = (base + 0.1 * torch.randn_like(base)).split(CHUNK)
        a, b = embed(net, left), embed(net, right)
        scaler.scale(info_nce(a, b)).backward()
        opt.zero_grad()
        for pieces, cached in ((left, a.grad.split(CHUNK)), (right, b.grad.split(CHUNK))):
            for piece, grad in zip(pieces, cached):
                surrogate = (net(piece) * grad).sum()
                surrogate.backward()
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        scaler.step(opt)
        record(list(net.parameters()))
        scaler.update()


if __name__ == "__main__":
    train(lambda parameters: None)
