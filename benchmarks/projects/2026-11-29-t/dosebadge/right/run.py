import torch
from torch import nn

from badge.callbacks import ClipNorm, HeldOut, RateDecay
from badge.loop import Loop


def badges(n, seed):
    g = torch.Generator().manual_seed(seed)
    films = [torch.rand(10, 6, generator=g) for _ in range(n)]
    return [(film, film.mean(1, keepdim=True).exp()) for film in films]


def main():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(6, 20), nn.ReLU(), nn.Dropout(0.1), nn.Linear(20, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    decay = RateDecay(torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9))
    held = HeldOut(badges(4, 7))
    Loop(net, optimizer, [ClipNorm(0.5), decay, held]).fit(badges(12, 3), epochs=4)
    print(held.scores)


if __name__ == "__main__":
    main()
