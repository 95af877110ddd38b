"""The stem sleeps through the first third; what is awake is limited together."""
import torch
from torch import nn

TURNS = 36


def awake(p):
    return p.requires_grad


def train(record):
    torch.manual_seed(66)
    stem, crown = nn.Sequential(nn.Linear(4, 16), nn.Tanh()), nn.Linear(16, 2)
    net = nn.Sequential(stem, crown)
    stem.requires_grad_(False)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.6)
    limited = filter(awake, net.parameters())
    for turn in range(TURNS):
        if turn == TURNS // 3:
            stem.requires_grad_(True)
        x = torch.randn(8, 4)
        y = torch.stack([x[:, :2].prod(1), (x[:, 2] - x[:, 3]).sin()], dim=1)
        optimizer.zero_grad()
        (3 * nn.functional.mse_loss(net(x), y)).backward()
        nn.utils.clip_grad_norm_(limited, 0.3)
        optimizer.step()
        record(list(net.parameters()))

if __name__ == "__main__":
    train(lambda parameters: None)
