"""Fine-tuning: the backbone learns slowly and keeps the statistics that it came with."""
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(6, 20), nn.BatchNorm1d(20), nn.ReLU())
        self.head = nn.Sequential(nn.Dropout(0.5), nn.Linear(20, 3))

    def forward(self, x):
        return self.head(self.backbone(x))


@torch.no_grad()
def accuracy(net, x, y):
    net.eval()
    return (net(x).argmax(1) == y).float().mean().item()


def train(record):
    torch.manual_seed(107)
    net = Net()
    net.train()
    with torch.no_grad():
        for _ in range(20):
            net.backbone(2 + 3 * torch.randn(64, 6))
    net.backbone.eval()
    opt = torch.optim.SGD(
        [{"params": net.backbone.parameters(), "lr": 0.01}, {"params": net.head.parameters()}], lr=0.2
    )
    x = torch.randn(160, 6)
    y = x[:, :3].argmax(1)
    best = 0.0
    for epoch in range(4):
        for rows in torch.randperm(128).split(32):
            opt.zero_grad()
            F.cross_entropy(net(x[rows]), y[rows]).backward()
            opt.step()
            record(list(net.parameters()))
        best = max(best, accuracy(net, x[128:], y[128:]))


if __name__ == "__main__":
    train(lambda parameters: None)
