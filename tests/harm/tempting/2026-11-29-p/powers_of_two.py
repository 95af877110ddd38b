"""Few samples per update in the beginning, many in the end: an update behind batch 1, 2, 4, 8, ..."""
import torch
from torch import nn
from torch.nn import functional as F

BATCHES = 64


def is_power(n):
    return n & (n - 1) == 0


def window_of(n):
    """How many batches the window holds that batch n (from one) is in."""
    return 1 if n == 1 else 2 ** ((n - 1).bit_length() - 1)


def train(record):
    torch.manual_seed(40)
    net = nn.Sequential(nn.Linear(7, 14), nn.Sigmoid(), nn.Linear(14, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.03)
    optimizer.zero_grad()
    for i in range(BATCHES):
        x = torch.randn(10, 7)
        y = x.pow(2).mean(1, keepdim=True)
        loss = F.mse_loss(net(x), y)
        (loss / window_of(i + 1)).backward()
        if is_power(i + 1):
            optimizer.step()
            record(list(net.parameters()))
            optimizer.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
