"""A hook of the second optimizer sweeps for both: they share one layer's gradients."""
import torch
from torch import nn


def sweep(*modules):
    def hook(optimizer, args, kwargs):
        for module in modules:
            for p in module.parameters():
                p.grad = None
    return hook


def train(record):
    torch.manual_seed(104)
    shared, tip = nn.Linear(4, 6), nn.Linear(6, 1)
    every = [*shared.parameters(), *tip.parameters()]
    near = torch.optim.SGD(shared.parameters(), lr=0.05)
    far = torch.optim.RMSprop([*tip.parameters(), shared.bias], lr=0.01)
    far.register_step_post_hook(sweep(shared, tip))
    for _ in range(36):
        x = torch.randn(9, 4)
        loss = nn.functional.mse_loss(tip(shared(x).relu()), x.abs().amax(1, keepdim=True))
        loss.backward()
        near.step()
        record(every)
        far.step()
        record(every)


if __name__ == "__main__":
    train(lambda parameters: None)
