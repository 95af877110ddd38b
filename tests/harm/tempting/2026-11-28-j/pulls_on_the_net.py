"""Beside the data there are two pulls: towards few weights, and towards the average of the past."""
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


def sparse(net, mean):
    return 3e-3 * sum(p.abs().sum() for p in net.parameters())


def near(net, mean):
    return 5e-2 * sum((p - m).square().sum() for p, m in zip(net.parameters(), mean.module.parameters()))


def pull(towards, net, mean):
    value = towards(net, mean)
    value.backward()
    return value.item()


def train(record):
    torch.manual_seed(39)
    net = nn.Sequential(nn.Linear(10, 12), nn.ReLU(), nn.Linear(12, 1))
    mean = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.8))
    for p in mean.parameters():
        p.requires_grad_(False)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    scaler = torch.amp.GradScaler("cpu", init_scale=512.0)
    for _ in range(25):
        x = torch.randn(16, 10)
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), x[:, :2].sum(1, keepdim=True))
        scaler.scale(loss).backward()
        pull(sparse, net, mean)
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        pull(near, net, mean)
        scaler.step(optimizer)
        scaler.update()
        record(list(net.parameters()))
        mean.update_parameters(net)


if __name__ == "__main__":
    train(lambda parameters: None)
