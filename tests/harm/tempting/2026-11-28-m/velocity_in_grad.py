"""Heavy ball without a buffer: the gradient field itself is the velocity."""
import torch
from torch import nn


class Decay:
    """What is left of the old gradient when the next one is added."""

    def __init__(self, params, keep):
        self.params, self.keep = params, keep

    @torch.no_grad()
    def __call__(self):
        for p in self.params:
            p.grad.mul_(self.keep)


def batches(n):
    for _ in range(n):
        x = torch.randn(10, 5)
        yield x, torch.sin(x).sum(1, keepdim=True)


def train(record):
    torch.manual_seed(1)
    net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
    params = list(net.parameters())
    sgd = torch.optim.SGD(params, lr=0.02)
    decay = Decay(params, keep=0.8)
    for x, y in batches(20):
        nn.functional.mse_loss(net(x), y).backward()
        sgd.step()
        record(params)
        decay()


if __name__ == "__main__":
    train(lambda parameters: None)
