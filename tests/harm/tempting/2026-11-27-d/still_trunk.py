import torch
import torch.nn.functional as F
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(5, 16), nn.BatchNorm1d(16), nn.ReLU())
        self.head = nn.Sequential(nn.BatchNorm1d(16), nn.Linear(16, 3))

    def forward(self, x):
        return self.head(self.trunk(x))


def load_pretrained():
    net = Classifier()
    with torch.no_grad():
        for _ in range(30):
            net.trunk(3 * torch.randn(16, 5) - 1)
    for p in net.trunk.parameters():
        p.requires_grad = False
    return net


def validate(net, x, y):
    net.eval()
    with torch.no_grad():
        return (net(x).argmax(1) == y).float().mean().item()


def train(record):
    torch.manual_seed(43)
    net = load_pretrained()
    x = torch.randn(108, 5)
    y = x[:, :3].argmax(1)
    opt = torch.optim.SGD(net.head.parameters(), lr=0.2)
    net.train()
    net.trunk.eval()
    scores = []
    for epoch in range(3):
        for xb, yb in zip(x[:84].split(12), y[:84].split(12)):
            opt.zero_grad()
            F.cross_entropy(net(xb), yb).backward()
            opt.step()
            record(list(net.parameters()))
        scores.append(validate(net, x[84:], y[84:]))
    return scores


if __name__ == "__main__":
    train(lambda parameters: None)
