import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import clip_grad_norm_


def fresh(net, optimizer):
    net.train()
    optimizer.zero_grad(set_to_none=True)


def evaluate(net, x, y):
    net.eval()
    with torch.no_grad():
        return F.cross_entropy(net(x), y).item()


def train(record):
    torch.manual_seed(33)
    x = torch.randn(100, 6)
    y = (3 * x[:, 0] + x[:, 1] ** 2 > 1).long()
    held_out = x[80:], y[80:]
    net = nn.Sequential(nn.Linear(6, 20), nn.BatchNorm1d(20), nn.ReLU(), nn.Linear(20, 2))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.3)
    norms, scores = [], []
    for epoch in range(3):
        for xb, yb in zip(x[:80].split(10), y[:80].split(10)):
            fresh(net, optimizer)
            loss = F.cross_entropy(net(xb), yb)
            loss.backward()
            norm = clip_grad_norm_(net.parameters(), 0.2)
            optimizer.step()
            record(list(net.parameters()))
            norms.append(float(norm))
        scores.append(evaluate(net, *held_out))
    return norms, scores


if __name__ == "__main__":
    train(lambda parameters: None)
