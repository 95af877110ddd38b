"""Meta-learned initialisation where the query loss after each inner step counts."""
import torch
from torch import nn
from torch.func import functional_call
from torch.nn import functional as F

INNER_STEPS, INNER_RATE = 3, 0.1


def task():
    slope, shift = torch.rand(2) * 2 - 1
    x = torch.rand(20, 1) * 4 - 2
    y = slope * x + torch.sin(x + shift)
    return (x[:10], y[:10]), (x[10:], y[10:])


def train(record):
    torch.manual_seed(14)
    net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
    meta = torch.optim.Adam(net.parameters(), lr=0.01)
    importance = torch.tensor([0.2, 0.3, 0.5])
    query_losses = []
    for episode in range(24):
        (sx, sy), (qx, qy) = task()
        fast = dict(net.named_parameters())
        for step in range(INNER_STEPS):
            support = F.mse_loss(functional_call(net, fast, (sx,)), sy)
            slopes = torch.autograd.grad(support, list(fast.values()), create_graph=True)
            fast = {name: p - INNER_RATE * g for (name, p), g in zip(fast.items(), slopes)}
            loss = F.mse_loss(functional_call(net, fast, (qx,)), qy)
            query_losses.append(importance[step] * loss)
        if episode % 3 == 2:
            total = torch.stack(query_losses).sum() / 3
            query_losses = []
            meta.zero_grad()
            total.backward()
            meta.step()
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
