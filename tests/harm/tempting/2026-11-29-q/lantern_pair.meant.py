"""A trunk and a head with an optimizer each, one scaler, one joint limit."""
import torch
from torch import nn


def head_norm(scaler, optimizer, head):
    scaler.unscale_(optimizer)
    return torch.stack([p.grad.norm() for p in head.parameters()]).norm().item()


def train(record):
    torch.manual_seed(77)
    trunk = nn.Sequential(nn.Linear(6, 10), nn.ReLU())
    head = nn.Linear(10, 1)
    both = [*trunk.parameters(), *head.parameters()]
    slow = torch.optim.SGD(trunk.parameters(), lr=0.05)
    fast = torch.optim.SGD(head.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
    book = []
    for _ in range(30):
        x = torch.randn(12, 6)
        y = x[:, :3].sum(1, keepdim=True) * 2
        slow.zero_grad(); fast.zero_grad()
        scaler.scale(nn.functional.mse_loss(head(trunk(x)), y)).backward()
        book.append(head_norm(scaler, fast, head))
        scaler.unscale_(slow)
        nn.utils.clip_grad_norm_(both, 1.0)
        scaler.step(slow); record(both)
        scaler.step(fast); record(both)
        scaler.update()
    return book


if __name__ == "__main__":
    train(lambda parameters: None)
