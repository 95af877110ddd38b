"""Rounds of self-training: each round labels the pool anew, and all but the first run cooler."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.optim.lr_scheduler import ExponentialLR

ROUNDS, BATCHES = 5, 6


def label_pool(net, pool):
    with torch.no_grad():
        probabilities = net(pool).softmax(1)
    confidence, guess = probabilities.max(1)
    keep = confidence.topk(24).indices
    return pool[keep], guess[keep]


def train(record):
    torch.manual_seed(11)
    x = torch.randn(48, 5)
    y = (x[:, 0] > x[:, 1]).long()
    pool = torch.randn(96, 5)
    net = nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Linear(12, 2))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
    cooling = ExponentialLR(optimizer, gamma=0.7)

    for number in range(ROUNDS):
        inputs, labels = x, y
        if number > 0:
            cooling.step()
            extra, guess = label_pool(net, pool)
            inputs, labels = torch.cat([x, extra]), torch.cat([y, guess])
        for part in torch.randperm(len(inputs)).chunk(BATCHES):
            optimizer.zero_grad()
            loss = F.cross_entropy(net(inputs[part]), labels[part])
            loss.backward()
            optimizer.step()
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
