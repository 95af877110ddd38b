"""Self-training: the network labels new samples, the confident ones are learned from."""
import torch
from torch import nn
from torch.nn import functional as F


def make():
    return nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Dropout(0.3), nn.Linear(32, 3))


def label(net, x, threshold=0.5):
    net.eval()
    with torch.no_grad():
        sure, guess = torch.softmax(net(x), 1).max(1)
    net.train()
    keep = sure > threshold
    return x[keep], guess[keep]


def epoch(net, opt, x, y, record):
    for rows in torch.randperm(len(x)).split(16):
        opt.zero_grad()
        F.cross_entropy(net(x[rows]), y[rows]).backward()
        opt.step()
        record(list(net.parameters()))


def train(record):
    torch.manual_seed(118)
    net = make()
    net.train()
    opt = torch.optim.AdamW(net.parameters(), lr=1e-2)
    x = torch.randn(64, 6)
    y = x[:, :3].argmax(1)
    for round in range(4):
        epoch(net, opt, x, y, record)
        for fresh in torch.randn(2, 24, 6):
            new_x, new_y = label(net, fresh)
            x, y = torch.cat([x, new_x]), torch.cat([y, new_y])


if __name__ == "__main__":
    train(lambda parameters: None)
