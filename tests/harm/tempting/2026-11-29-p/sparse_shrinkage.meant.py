"""Proximal gradients: a step on the smooth part, then the shrinkage that goes with the same rate."""
import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

PENALTY = 0.2


def shrink(weight, by):
    with torch.no_grad():
        weight.copy_(weight.sign() * (weight.abs() - by).clamp_min(0))


def signal(count):
    truth = torch.zeros(1, 20)
    truth[0, :4] = torch.tensor([2.0, -1.5, 1.0, 3.0])
    for _ in range(count):
        x = torch.randn(25, 20)
        yield x, x @ truth.T + 0.1 * torch.randn(25, 1)


def train(record):
    torch.manual_seed(215)
    model = nn.Linear(20, 1, bias=False)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    rate = LambdaLR(optimizer, lambda k: 0.8**k)
    zeros = []
    for x, y in signal(15):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        record(list(model.parameters()))
        shrink(model.weight, PENALTY * optimizer.param_groups[0]["lr"])
        rate.step()
        zeros.append(int((model.weight == 0).sum()))
    return zeros

if __name__ == "__main__":
    train(lambda parameters: None)
