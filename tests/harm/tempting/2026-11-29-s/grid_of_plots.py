"""One update sees a grid of fields and weathers; each plot of the grid has its own backward."""
import itertools

import torch
from torch import nn
from torch.nn.functional import smooth_l1_loss

FIELDS = (0.5, 1.0, 1.5)
WEATHERS = (-1.0, 1.0)


def harvest(field, weather, size=12):
    x = torch.randn(size, 3)
    return torch.cat([x, torch.full((size, 1), weather)], 1), (field * x.sum(1, keepdim=True)).cos() * weather


def field_rows():
    for field in FIELDS:
        yield [harvest(field, weather) for weather in WEATHERS]


def train(record):
    torch.manual_seed(88)
    net = nn.Sequential(nn.Linear(4, 14), nn.ReLU(), nn.Linear(14, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.02, eps=1e-3)
    plots = len(list(itertools.product(FIELDS, WEATHERS)))
    for season in range(30):
        optimizer.zero_grad()
        for row in field_rows():
            for x, y in row:
                loss = smooth_l1_loss(net(x), y)
                (loss / plots).backward()
        optimizer.step()
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
