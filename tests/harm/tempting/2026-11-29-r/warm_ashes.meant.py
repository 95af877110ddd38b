"""The trunk's rate follows the glow of its last gradients, which is read behind the step."""
import torch
from torch import nn


def glow(module):
    return sum(p.grad.norm().item() for p in module.parameters() if p.grad is not None)


def train(record):
    torch.manual_seed(52)
    trunk, head = nn.Sequential(nn.Linear(5, 16), nn.Tanh()), nn.Linear(16, 1)
    hearth = [*trunk.parameters(), *head.parameters()]
    trunk_opt = torch.optim.SGD(trunk.parameters(), lr=0.1)
    head_opt = torch.optim.SGD(head.parameters(), lr=0.05, momentum=0.5)
    warmth = 1.0
    for _ in range(36):
        x = torch.randn(10, 5)
        y = (x[:, :1] - x[:, 4:]).sin()
        loss = nn.functional.mse_loss(head(trunk(x)), y)
        head_opt.zero_grad()
        trunk_opt.zero_grad()
        loss.backward()
        head_opt.step()
        record(hearth)
        trunk_opt.step()
        record(hearth)
        warmth = 0.8 * warmth + 0.2 * glow(trunk)
        for group in trunk_opt.param_groups:
            group["lr"] = 0.2 / (1.0 + 4.0 * warmth)

if __name__ == "__main__":
    train(lambda parameters: None)
