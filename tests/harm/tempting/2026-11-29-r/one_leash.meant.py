"""Two networks hang on one leash: their gradients are limited by a common norm."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def small(inputs):
    return nn.Sequential(nn.Linear(inputs, 10), nn.Tanh(), nn.Linear(10, 1))


def train(record):
    torch.manual_seed(102)
    nets = [small(3), small(2)]
    opts = [torch.optim.SGD(net.parameters(), lr=lr) for net, lr in zip(nets, (0.5, 0.8))]
    leash = [p for net in nets for p in net.parameters()]
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0, growth_interval=10)
    for _ in range(32):
        for opt in opts:
            opt.zero_grad()
        x = torch.randn(10, 5)
        left, right = nets[0](x[:, :3]), nets[1](x[:, 3:])
        loss = nn.functional.mse_loss(left + right, x[:, :1] * x[:, 4:])
        loss = loss + 0.1 * (left * right).mean().square()
        scaler.scale(loss).backward()
        for opt in opts:
            scaler.unscale_(opt)
        clip_grad_norm_(leash, 0.4)
        for opt in opts:
            scaler.step(opt)
            record(leash)
        scaler.update()

if __name__ == "__main__":
    train(lambda parameters: None)
