"""First the head alone, then trunk and head with optimizers of their own, one loss scale."""
import torch
from torch import nn
from torch.nn import functional as F


def finish(scaler, optimizer):
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()


def sample(n):
    x = torch.randn(n, 6)
    return x, torch.stack([x[:, 0] * x[:, 1], x[:, 2].abs()], 1)


def train(record):
    torch.manual_seed(31)
    trunk = nn.Sequential(nn.Linear(6, 24), nn.ReLU())
    head = nn.Linear(24, 2)
    model = nn.Sequential(trunk, head)
    trunk_opt = torch.optim.SGD(trunk.parameters(), lr=0.05, momentum=0.9)
    head_opt = torch.optim.SGD(head.parameters(), lr=0.1, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=128.0)

    # probing
    for _ in range(8):
        x, y = sample(16)
        loss = F.mse_loss(head(trunk(x).detach()), y)
        scaler.scale(loss).backward()
        finish(scaler, head_opt)
        record(list(model.parameters()))

    # everything
    for _ in range(16):
        x, y = sample(16)
        loss = F.mse_loss(model(x), y)
        scaler.scale(loss).backward()
        for optimizer in (trunk_opt, head_opt):
            scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(trunk_opt)
        finish(scaler, head_opt)
        trunk_opt.zero_grad()
        record(list(model.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
