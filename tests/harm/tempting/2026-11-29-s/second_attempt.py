"""A batch whose slopes overflow is tried again with the lower scale, until they are finite."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def batches(count):
    for _ in range(count):
        x = torch.randn(12, 4)
        yield x, 3 * x[:, :1] - x[:, 1:2].abs()


def settle(net, opt, scaler, x, y):
    tries = 0
    while True:
        opt.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        norm = clip_grad_norm_(net.parameters(), 1.5)
        if torch.isfinite(norm):
            return tries
        scaler.update()
        tries += 1


def train(record):
    torch.manual_seed(5150)
    net = nn.Sequential(nn.Linear(4, 10), nn.ReLU(), nn.Linear(10, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**126, backoff_factor=0.25, growth_interval=7)
    tried = 0
    for x, y in batches(42):
        tried += settle(net, opt, scaler, x, y)
        scaler.step(opt)
        scaler.update()
        record(list(net.parameters()))
    assert tried > 0


if __name__ == "__main__":
    train(lambda parameters: None)
