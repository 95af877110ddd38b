import contextlib

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16))
        self.head = nn.Sequential(nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 3))

    def forward(self, x):
        return self.head(self.stem(x))


@contextlib.contextmanager
def modes_kept(net):
    before = {module: module.training for module in net.modules()}
    try:
        yield net
    finally:
        for module, mode in before.items():
            module.training = mode


def train(record):
    torch.manual_seed(11)
    net = Tagger()
    net.train()
    # pretrained statistics: the stem is not to learn new ones
    net.stem.eval()
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    x, y = torch.randn(96, 8), torch.randint(0, 3, (96,))
    held_x, held_y = x[80:], y[80:]
    best = 0.0
    for epoch in range(6):
        for at in range(0, 80, 16):
            opt.zero_grad()
            nn.functional.cross_entropy(net(x[at : at + 16]), y[at : at + 16]).backward()
            opt.step()
            record(list(net.parameters()))
        with modes_kept(net), torch.no_grad():
            net.eval()
            hits = (net(held_x).argmax(1) == held_y).float().mean().item()
        best = max(best, hits)
    return best


if __name__ == "__main__":
    train(lambda parameters: None)
