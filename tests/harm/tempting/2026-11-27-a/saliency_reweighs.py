import torch
import torch.nn.functional as F
from torch import nn


def slope_of(values, x):
    values.sum().backward()
    slope, x.grad = x.grad.clone(), None
    return slope


def evaluate(net, batches):
    net.eval()
    sensitivity = torch.zeros(5)
    for x, y in batches:
        x = x.clone()
        x.requires_grad = True
        outputs = net(x)
        errors = F.mse_loss(outputs, y, reduction="none")
        sensitivity += slope_of(errors, x).abs().mean(0)
    net.zero_grad()
    return sensitivity / sensitivity.sum()


def train(record):
    torch.manual_seed(112)
    net = nn.Sequential(nn.Linear(5, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 1))
    opt = torch.optim.RMSprop(net.parameters(), lr=2e-3)
    data = [(torch.randn(10, 5), torch.randn(10, 1)) for _ in range(7)]
    shown, hidden = data[:5], data[5:]
    emphasis = torch.full((5,), 0.2)
    for epoch in range(3):
        net.train()
        for x, y in shown:
            loss = F.mse_loss(net(x), y)
            jitter = F.mse_loss(net(x + emphasis * 0.1), y)
            opt.zero_grad()
            (loss + jitter).backward()
            opt.step()
            record(list(net.parameters()))
        emphasis = evaluate(net, hidden)


if __name__ == "__main__":
    train(lambda parameters: None)
