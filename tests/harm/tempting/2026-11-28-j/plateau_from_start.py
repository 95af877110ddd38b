"""The plateau is judged from the untrained network on: its score is the first one to beat."""
import torch
from torch import nn
from torch.optim.lr_scheduler import ReduceLROnPlateau


class Sine(nn.Module):
    def forward(self, x):
        return torch.sin(3.0 * x)


def score(net, x, y):
    with torch.no_grad():
        return nn.functional.mse_loss(net(x), y).item()


def train(record):
    torch.manual_seed(31)
    net = nn.Sequential(nn.Linear(1, 24), Sine(), nn.Linear(24, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    scheduler = ReduceLROnPlateau(optimizer, factor=0.3, patience=0, threshold=0.05)
    held_x = torch.linspace(-1, 1, 31).unsqueeze(1)
    held_y = torch.tanh(8 * held_x)
    rates = []
    for epoch in range(10):
        # the network as this epoch finds it
        scheduler.step(score(net, held_x, held_y))
        rates.append(optimizer.param_groups[0]["lr"])
        for _ in range(5):
            x = torch.rand(12, 1) * 2 - 1
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), torch.tanh(8 * x)).backward()
            optimizer.step()
            record(list(net.parameters()))
    return rates


if __name__ == "__main__":
    train(lambda parameters: None)
