import torch
from torch import nn
from torch.nn import functional as F


@torch.no_grad()
def hardest(net, x, y, keep):
    mode = net.training
    net.eval()
    losses = F.cross_entropy(net(x), y, reduction="none")
    net.train(mode)
    return losses.topk(keep).indices


def backward_slices(net, x, y, size):
    total = 0.0
    for a, b in zip(x.split(size), y.split(size)):
        loss = F.cross_entropy(net(a), b, reduction="sum") / len(x)
        loss.backward()
        total += loss.item()
    return total


def train(record):
    torch.manual_seed(404)
    net = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Dropout(0.25), nn.Linear(24, 4))
    net.train()
    opt = torch.optim.Adagrad(net.parameters(), lr=0.05)
    pools = [(torch.randn(40, 6), torch.randint(0, 4, (40,))) for _ in range(6)]
    curve = []
    for epoch in range(3):
        for x, y in pools:
            chosen = hardest(net, x, y, keep=17)
            opt.zero_grad()
            curve.append(backward_slices(net, x[chosen], y[chosen], size=5))
            opt.step()
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
