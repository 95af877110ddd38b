"""Bell ringers adapt to every tower first; both steps go by the rate of the morning."""
import torch
from torch import nn
from torch.func import functional_call
from torch.nn import functional as F
from torch.optim.lr_scheduler import StepLR


def towers(count):
    gen = torch.Generator().manual_seed(23)
    for _ in range(count):
        sway = torch.randn(3, 1, generator=gen)
        pull = torch.randn(16, 3, generator=gen)
        yield pull.split(8), (pull @ sway).split(8)


def adapted(ringer, pull, swing, rate):
    weights = dict(ringer.named_parameters())
    loss = F.mse_loss(functional_call(ringer, weights, (pull,)), swing)
    slopes = torch.autograd.grad(loss, list(weights.values()))
    return {name: w - rate * s for (name, w), s in zip(weights.items(), slopes)}


def train(record):
    torch.manual_seed(32)
    ringer = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(ringer.parameters(), lr=0.2)
    mornings = StepLR(optimizer, step_size=4, gamma=0.5)
    for (first, second), (swing, asked) in towers(16):
        fast = adapted(ringer, first, swing, mornings.get_last_lr()[0])
        optimizer.zero_grad()
        F.mse_loss(functional_call(ringer, fast, (second,)), asked).backward()
        optimizer.step()
        record(list(ringer.parameters()))
        mornings.step()


if __name__ == "__main__":
    train(lambda parameters: None)
