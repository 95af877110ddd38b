"""Linear probe: the backbone stays as it was pretrained, batch statistics included."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def conv(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, 2, 1), nn.BatchNorm2d(o), nn.ReLU())


class Probe(nn.Module):
    def __init__(self, n_cls):
        super().__init__()
        self.backbone = nn.Sequential(conv(1, 8), conv(8, 16), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(16, n_cls))
        for p in self.backbone.parameters():
            p.requires_grad_(False)

    def forward(self, x):
        return self.head(self.backbone(x))


class ProbeTrainer:
    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.SGD(net.head.parameters(), lr=lr)
        self.cost = nn.CrossEntropyLoss()

    def one_epoch(self, dl):
        self.net.train()
        self.net.backbone.eval()
        tot = 0.0
        for x, y in dl:
            loss = self.cost(self.net(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            tot += loss.item() * len(y)
        return tot / len(dl.dataset)

    @torch.no_grad()
    def check(self, dl):
        self.net.eval()
        return sum((self.net(x).argmax(1) == y).sum().item() for x, y in dl) / len(dl.dataset)


def main():
    torch.manual_seed(5)
    y = torch.randint(0, 3, (120,))
    x = torch.randn(120, 1, 12, 12) + y.view(-1, 1, 1, 1)
    dl = DataLoader(TensorDataset(x, y), 20, shuffle=True)
    t = ProbeTrainer(Probe(3), 0.5)
    for e in range(3):
        print(e, round(t.one_epoch(dl), 4), round(t.check(dl), 3))


if __name__ == "__main__":
    main()
