"""Sign updates with error feedback: what the sign did not carry stays behind for the next update."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class SignStep(torch.optim.Optimizer):
    """Moves by the sign, as large as the mean magnitude; leaves the residual in `.grad`."""

    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                sent = p.grad.sign() * p.grad.abs().mean()
                p.sub_(sent, alpha=group["lr"])
                p.grad.sub_(sent)


def batches(count):
    g = torch.Generator().manual_seed(21)
    for _ in range(count):
        x = torch.rand(16, 4, generator=g)
        yield x, (x[:, :1] * x[:, 1:2] - x[:, 2:3]).sin()


def train(record):
    torch.manual_seed(1)
    net = nn.Sequential(nn.Linear(4, 20), nn.Softplus(), nn.Linear(20, 1))
    opt = SignStep(net.parameters(), lr=0.05)
    for x, y in batches(40):
        # on top of the residual of the update before
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()
        # a residual must not grow for ever
        clip_grad_norm_(net.parameters(), 0.5)
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
