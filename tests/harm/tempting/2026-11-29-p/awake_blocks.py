import contextlib

import torch
from torch import nn


@contextlib.contextmanager
def awake(net):
    """The network sleeps except where it is trained."""
    net.train()
    try:
        yield net
    finally:
        net.eval()


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 20), nn.BatchNorm1d(20), nn.ReLU(), nn.Dropout(0.3))
        self.head = nn.Linear(20, 3)

    def forward(self, x):
        return self.head(self.body(x))


def accuracy(net, x, y):
    net.eval()
    with torch.no_grad():
        return (net(x).argmax(1) == y).float().mean().item()


def train(record):
    torch.manual_seed(21)
    x, held_x = torch.randn(90, 6), torch.randn(30, 6)
    mixing = torch.randn(6, 3)
    y, held_y = (x @ mixing).argmax(1), (held_x @ mixing).argmax(1)
    net = Classifier()
    optimizer = torch.optim.AdamW(net.parameters(), lr=5e-3)
    best = 0.0
    for _ in range(6):
        for part in torch.randperm(90).split(30):
            with awake(net) as model:
                loss = nn.functional.cross_entropy(model(x[part]), y[part])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            record(list(net.parameters()))
            best = max(best, accuracy(net, held_x, held_y))
    return best


if __name__ == "__main__":
    train(lambda parameters: None)
