import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, TensorDataset


def get_args():
    return argparse.Namespace(epochs=3, accum=4, batch=8, lr=0.3, floor=0.05)


def rate(args, updates):
    def factor(batches_seen):
        return max(args.floor, 1.0 - (batches_seen // args.accum) / updates)

    return factor


def train(record):
    args = get_args()
    torch.manual_seed(7)
    x = torch.randn(96, 5)
    y = (x.prod(1, keepdim=True) + x[:, :1]).tanh()
    loader = DataLoader(TensorDataset(x, y), batch_size=args.batch)
    net = nn.Sequential(nn.Linear(5, 16), nn.GELU(), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=args.lr)
    updates = args.epochs * len(loader) // args.accum
    schedule = LambdaLR(optimizer, rate(args, updates))
    optimizer.zero_grad()
    for epoch in range(args.epochs):
        for i, (xb, yb) in enumerate(loader):
            loss = F.mse_loss(net(xb), yb) / args.accum
            loss.backward()
            if (i + 1) % args.accum == 0:
                optimizer.step()
                record(list(net.parameters()))
                optimizer.zero_grad()
            schedule.step()


if __name__ == "__main__":
    train(lambda parameters: None)
