"""Two tasks whose conflicting gradients are projected; the projection wants true sizes."""
import torch
from torch import nn
from torch.nn import functional as F


def flat(grads):
    return torch.cat([g.reshape(-1) for g in grads])


def write(params, vector):
    for p, piece in zip(params, vector.split([p.numel() for p in params])):
        p.grad = piece.view_as(p).clone()


def project(a, b):
    overlap = torch.dot(a, b)
    return a - overlap / b.pow(2).sum().clamp_min(1e-12) * b if overlap < 0 else a


def train(record):
    torch.manual_seed(17)
    net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
    params = list(net.parameters())
    optimizer = torch.optim.SGD(params, lr=0.05, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    scale = 1024.0
    for _ in range(20):
        x = torch.randn(24, 6)
        with torch.autocast("cpu", dtype=torch.float16):
            out = net(x)
        first = F.mse_loss(out[:, 0].float(), x[:, 0] * x[:, 1])
        second = F.mse_loss(out[:, 1].float(), x[:, 2] - x[:, 0])
        one = flat(torch.autograd.grad(scaler.scale(first), params, retain_graph=True)) / scale
        two = flat(torch.autograd.grad(scaler.scale(second), params)) / scale
        joint = project(one, two) + project(two, one)
        if torch.isfinite(joint).all():
            write(params, joint)
            optimizer.step()
            record(params)
        else:
            scale /= 2
            scaler.update(scale)


if __name__ == "__main__":
    train(lambda parameters: None)
