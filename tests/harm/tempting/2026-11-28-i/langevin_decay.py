"""Stochastic gradient Langevin dynamics: the noise has to fit the rate of the very step it goes with."""
import torch
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR

TEMPERATURE = 1e-3


@torch.no_grad()
def shake(optimizer, generator):
    for group in optimizer.param_groups:
        scale = (2 * TEMPERATURE * group["lr"]) ** 0.5
        for p in group["params"]:
            p.add_(torch.randn(p.shape, generator=generator), alpha=scale)


def posterior_mean(samples):
    return [torch.stack(parts).mean(0) for parts in zip(*samples)]


def train(record):
    torch.manual_seed(60)
    generator = torch.Generator().manual_seed(61)
    net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.2, weight_decay=1e-3)
    cooling = ExponentialLR(opt, gamma=0.8)
    x = torch.randn(60, 3)
    y = torch.sin(x.sum(1, keepdim=True))
    samples = []
    for sweep in range(20):
        index = torch.randperm(60, generator=generator)[:30]
        opt.zero_grad()
        loss = nn.functional.mse_loss(net(x[index]), y[index])
        loss.backward()
        cooling.step()
        opt.step()
        shake(opt, generator)
        record(list(net.parameters()))
        if sweep >= 10:
            samples.append([p.detach().clone() for p in net.parameters()])
    print(sum(m.norm().item() for m in posterior_mean(samples)))


if __name__ == "__main__":
    train(lambda parameters: None)
