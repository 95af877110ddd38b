import itertools
from contextlib import nullcontext

import torch
from torch import nn

from contrast import push
from pairs import PairsModule
from parallel import Ranks


def encoder(dim=10, width=32, out=8):
    return nn.Sequential(nn.Linear(dim, width), nn.LayerNorm(width), nn.ReLU(), nn.Linear(width, out))


def train(ranks, epochs=3, accum=4, temperature=0.2):
    torch.manual_seed(0)
    net = ranks.spread(encoder())
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    loader = PairsModule().train_loader()
    opt.zero_grad()
    for epoch in range(epochs):
        loader.sampler.set_epoch(epoch)
        losses = []
        for n, views in zip(itertools.count(1), loader):
            closing = n % accum == 0 or n == len(loader)
            with nullcontext() if closing else net.no_sync():
                losses.append(push(net, views, temperature, accum))
            if closing:
                opt.step()
                opt.zero_grad()
        print(f"epoch {epoch} nce {sum(losses) / len(losses):.4f}")


if __name__ == "__main__":
    with Ranks() as ranks:
        train(ranks)
