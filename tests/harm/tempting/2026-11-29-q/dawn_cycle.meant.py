"""The shrinking behind the step goes by the rate of the step."""
import torch
from torch import nn


def shrink(net, factor):
    with torch.no_grad():
        for p in net.parameters():
            p.mul_(1 - factor)


def train(record):
    torch.manual_seed(35)
    net = nn.Sequential(nn.Linear(3, 9), nn.Tanh(), nn.Linear(9, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.3)
    falling = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)
    errors = []
    for n in range(36):
        x = torch.randn(8, 3)
        opt.zero_grad()
        loss = nn.functional.mse_loss(net(x), x.max(1, keepdim=True).values)
        loss.backward()
        opt.step()
        shrink(net, 0.1 * opt.param_groups[0]["lr"])
        record(list(net.parameters()))
        falling.step()
        if n % 3:
            continue
        errors.append(loss.item())
    return errors


if __name__ == "__main__":
    train(lambda parameters: None)
