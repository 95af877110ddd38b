"""A glass runs out from the last grain down to number nought; it is turned at every fourth."""
import torch
from torch import nn

GRAINS = 24
TURN = 4


def pour():
    return [(x, x.pow(2).mean(1, keepdim=True)) for x in torch.randn(GRAINS, 10, 3).unbind()]


def train(record):
    torch.manual_seed(417)
    grains = pour()
    net = nn.Sequential(nn.Linear(3, 9), nn.GELU(), nn.Linear(9, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
    for glass in range(6):
        for left in reversed(range(GRAINS)):
            x, y = grains[left]
            spread = 0.02 * left / GRAINS
            loss = nn.functional.mse_loss(net(x + spread * torch.randn_like(x)), y)
            (loss / TURN).backward()
            if left % TURN == 0:
                optimizer.step()
                record(list(net.parameters()))
                optimizer.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
