import torch
from torch import nn


def make_task(n=200):
    x = torch.linspace(-3, 3, n).unsqueeze(1)
    return x, torch.sin(2 * x) + 0.1 * torch.randn_like(x)


def train(model, x, y, epochs=60, log_every=20):
    optimizer = torch.optim.Rprop(model.parameters(), lr=1e-2)
    losses = []
    for epoch in range(epochs):
        optimizer.zero_grad()
        pred = model(x)
        loss = nn.functional.mse_loss(pred, y)
        loss.backward()
        optimizer.step()
        losses.append(loss)
        if (epoch + 1) % log_every == 0:
            recent = torch.stack(losses[-log_every:]).mean()
            print(epoch + 1, recent.item())
    return losses


if __name__ == "__main__":
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))
    curve = train(net, *make_task())
    print(min(c.item() for c in curve))
