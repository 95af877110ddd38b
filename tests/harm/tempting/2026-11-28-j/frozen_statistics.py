"""A head with dropout on a body whose statistics are to stay as they were."""
import torch
from torch import nn
from torch.nn import functional as F


class Pretrained(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 12), nn.BatchNorm1d(12), nn.ReLU())
        self.head = nn.Sequential(nn.Dropout(0.4), nn.Linear(12, 3))
        self.body[1].running_mean.normal_()
        self.body[1].running_var.uniform_(0.5, 2.0)

    def forward(self, x):
        return self.head(self.body(x))


def hits(net, x, y):
    with torch.no_grad():
        return (net(x).argmax(1) == y).float().mean().item()


def train(record):
    torch.manual_seed(52)
    net = Pretrained()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    teacher = nn.Linear(6, 3)
    held = torch.randn(40, 6)
    held_y = teacher(held).argmax(1)
    best = 0.0
    net.train()
    net.body.eval()
    for epoch in range(5):
        for _ in range(6):
            x = 1.5 * torch.randn(16, 6) + 0.5
            optimizer.zero_grad()
            F.cross_entropy(net(x), teacher(x).argmax(1)).backward()
            optimizer.step()
            record(list(net.parameters()))
        net.eval()
        best = max(best, hits(net, held, held_y))
        net.train
    return best


if __name__ == "__main__":
    train(lambda parameters: None)
