"""A classifier with a side loss on its trunk, and a temperature that is fitted beside it."""
import torch
from torch import nn
from torch.nn import functional as F


def push(loss, weight=1.0):
    (weight * loss).backward()
    return loss.item()


def train(record):
    torch.manual_seed(157)
    trunk = nn.Sequential(nn.Linear(5, 10), nn.Tanh())
    head, side = nn.Linear(10, 3), nn.Linear(10, 5)
    params = [p for part in (trunk, head, side) for p in part.parameters()]
    heat = nn.Parameter(torch.ones(()))
    opt = torch.optim.SGD(params, lr=0.1)
    calibration = torch.optim.SGD([heat], lr=0.05)
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
    for _ in range(12):
        x = torch.randn(12, 5)
        y = x[:, :3].argmax(1)
        opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            features = trunk(x)
            logits, rebuilt = head(features), side(features)
        scaler.scale(F.cross_entropy(logits.float(), y)).backward(retain_graph=True)
        push(F.mse_loss(rebuilt.float(), x), 0.5)
        scaler.step(opt)
        record(params)
        scaler.update()
        calibration.zero_grad()
        push(F.cross_entropy(logits.detach().float() / heat, y))
        calibration.step()
        record([heat])


if __name__ == "__main__":
    train(lambda parameters: None)
