import dataclasses

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclasses.dataclass
class Config:
    epochs: int = 3
    accum: int = 3
    lr: float = 0.1
    target: float = 0.15


def mean_size(net):
    sizes = [p.grad.abs().mean() for p in net.parameters()]
    return torch.stack(sizes).mean().item()


def adjust(optimizer, size, cfg):
    for group in optimizer.param_groups:
        group["lr"] *= 0.95 if size > cfg.target else 1.02


def run(cfg, record):
    x = torch.randn(56, 4)
    loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True).sin()), batch_size=7, shuffle=True)
    net = nn.Sequential(nn.Linear(4, 12), nn.Tanh(), nn.Linear(12, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=cfg.lr)
    for epoch in range(cfg.epochs):
        sizes = []
        for i, (inputs, targets) in enumerate(loader):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(inputs), targets)
            (loss / cfg.accum).backward()
            if (i + 1) % cfg.accum == 0 or (i + 1) == len(loader):
                optimizer.step()
                record(list(net.parameters()))
                sizes.append(mean_size(net))
                adjust(optimizer, sizes[-1], cfg)
        print(epoch, [round(s, 4) for s in sizes], round(optimizer.param_groups[0]["lr"], 4))


def train(record):
    torch.manual_seed(33)
    run(Config(), record)


if __name__ == "__main__":
    train(lambda parameters: None)
