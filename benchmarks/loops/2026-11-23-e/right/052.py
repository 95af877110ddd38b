"""Large-batch contrastive learning with cached representation gradients.

First all representations are computed without a graph, the loss gives their gradients, then
each chunk is encoded again and receives its part of them."""
import torch
import torch.nn.functional as F
from torch import nn


class Tower(nn.Module):
    def __init__(self, d_in, d=12):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_in, 32), nn.ReLU(), nn.Linear(32, d))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


def clip_loss(a, b, tau=0.1):
    logits = a @ b.t() / tau
    target = torch.arange(len(a))
    return (F.cross_entropy(logits, target) + F.cross_entropy(logits.t(), target)) / 2


def encode_all(tower, chunks):
    with torch.no_grad():
        return torch.cat([tower(c) for c in chunks])


def cached_step(towers, inputs, optimizer, chunk=16):
    pieces = [x.split(chunk) for x in inputs]
    reps = [encode_all(t, p).requires_grad_(True) for t, p in zip(towers, pieces)]
    loss = clip_loss(*reps)
    loss.backward()

    optimizer.zero_grad()
    for tower, piece, rep in zip(towers, pieces, reps):
        for x, g in zip(piece, rep.grad.split(chunk)):
            surrogate = (tower(x) * g).sum()
            surrogate.backward()
    optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(0)
    latent = torch.randn(512, 4)
    images = latent @ torch.randn(4, 20) + 0.1 * torch.randn(512, 20)
    texts = latent @ torch.randn(4, 9) + 0.1 * torch.randn(512, 9)
    towers = [Tower(20), Tower(9)]
    optimizer = torch.optim.AdamW([p for t in towers for p in t.parameters()], lr=3e-3)
    for epoch in range(3):
        for idx in torch.randperm(512).split(128):
            loss = cached_step(towers, (images[idx], texts[idx]), optimizer)
        print(epoch, round(loss, 4))


main()
