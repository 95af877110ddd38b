import torch
from torch import nn


@torch.no_grad()
def accuracy(net, x, y):
    net.eval()
    acc = (net(x).argmax(1) == y).float().mean().item()
    net.train
    return acc


def main():
    torch.manual_seed(0)
    x = torch.randn(100, 8)
    y = (x[:, :4].sum(1) > x[:, 4:].sum(1)).long()
    net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Dropout(0.5), nn.Linear(32, 2))
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for epoch in range(5):
        net.train()
        for xb, yb in zip(x[:80].split(20), y[:80].split(20)):
            loss = nn.functional.cross_entropy(net(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(epoch, loss.item(), accuracy(net, x[80:], y[80:]))


if __name__ == "__main__":
    main()
