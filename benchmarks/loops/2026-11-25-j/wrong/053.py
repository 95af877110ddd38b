from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    lr: float = 0.1
    decay_every: int = 2
    epochs: int = 5
    hidden: int = 10


def train(cfg: Config):
    torch.manual_seed(53)
    xor_x = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]).repeat(8, 1)
    xor_y = (xor_x[:, 0] != xor_x[:, 1]).float().unsqueeze(1)
    net = nn.Sequential(nn.Linear(2, cfg.hidden), nn.Tanh(), nn.Linear(cfg.hidden, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=cfg.lr, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, cfg.decay_every, gamma=0.1)
    for epoch in range(cfg.epochs):
        for part in torch.randperm(len(xor_x)).chunk(4):
            optimizer.zero_grad()
            loss = nn.functional.binary_cross_entropy_with_logits(net(xor_x[part]), xor_y[part])
            loss.backward()
            optimizer.step()
        scheduler.step
        print(f"epoch {epoch} loss {loss.item():.4f} lr {optimizer.param_groups[0]['lr']:.4f}")


train(Config())
