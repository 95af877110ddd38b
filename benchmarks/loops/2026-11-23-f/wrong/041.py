import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--accumulation-steps", type=int, default=3)
    p.add_argument("--epochs", type=int, default=3)
    return p.parse_args()


def main(args):
    torch.manual_seed(5)
    x = torch.randn(140, 4)
    y = (x[:, 0] > 0).long()
    train = DataLoader(TensorDataset(x[:110], y[:110]), batch_size=10, shuffle=True)
    test = DataLoader(TensorDataset(x[110:], y[110:]), batch_size=10)
    net = nn.Sequential(nn.Linear(4, 10), nn.ReLU(), nn.Linear(10, 2))
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for epoch in range(args.epochs):
        for i, (xb, yb) in enumerate(train, 1):
            loss = nn.functional.cross_entropy(net(xb), yb) / args.accumulation_steps
            loss.backward()
            if i % args.accumulation_steps:
                continue
            opt.step()
            opt.zero_grad()
        hits = 0
        for xb, yb in test:
            out = net(xb)
            hits += (out.argmax(1) == yb).sum().item()
        print(epoch, hits / 30)


if __name__ == "__main__":
    main(get_args())
