"""Fields that should be smooth: the rule is pushed by itself, in the mixed phase and in the last, exact one."""
import torch
from torch import nn
from torch.nn import functional as F


def push_smoothness(net, points, weight):
    near = points + 0.05 * torch.randn_like(points)
    roughness = (net(near).float() - net(points).float()).square().mean()
    (weight * roughness).backward()
    return roughness.item()


def field(points):
    return torch.sin(2 * points[:, :1]) * points[:, 1:]


def mixed_phase(net, optimizer, steps, record):
    scaler = torch.amp.GradScaler("cpu", init_scale=2048.0)
    for _ in range(steps):
        points = torch.rand(20, 2) * 2 - 1
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            guess = net(points)
        fit = F.mse_loss(guess.float(), field(points))
        scaler.scale(fit).backward()
        scaler.unscale_(optimizer)
        push_smoothness(net, points, 5.0)
        scaler.step(optimizer)
        scaler.update()
        record(list(net.parameters()))


def exact_phase(net, optimizer, steps, record):
    for _ in range(steps):
        points = torch.rand(40, 2) * 2 - 1
        optimizer.zero_grad()
        F.mse_loss(net(points), field(points)).backward()
        push_smoothness(net, points, 5.0)
        optimizer.step()
        record(list(net.parameters()))


def train(record):
    torch.manual_seed(218)
    net = nn.Sequential(nn.Linear(2, 20), nn.Tanh(), nn.Linear(20, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
    mixed_phase(net, optimizer, 20, record)
    exact_phase(net, optimizer, 8, record)

if __name__ == "__main__":
    train(lambda parameters: None)
