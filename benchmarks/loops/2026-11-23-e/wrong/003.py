#!/usr/bin/env python
import argparse

import torch
import torch.nn.functional as F
from torch import nn, optim


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--accum-steps", type=int, default=4)
    ap.add_argument("--batch-size", type=int, default=16)
    ap.add_argument("--epochs", type=int, default=2)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--log-every", type=int, default=8)
    return ap.parse_args()


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 8, 3, padding=1)
        self.fc = nn.Linear(8 * 2 * 2, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc(x.flatten(1))


def main():
    args = parse()
    torch.manual_seed(0)
    images = torch.randn(256, 1, 8, 8)
    labels = torch.randint(0, 10, (256,))
    net = ConvNet()
    opt = optim.SGD(net.parameters(), lr=args.lr)

    for epoch in range(args.epochs):
        order = torch.randperm(len(images))
        batches = order.split(args.batch_size)
        for b, idx in enumerate(batches):
            opt.zero_grad()
            logits = net(images[idx])
            loss = F.cross_entropy(logits, labels[idx]) / args.accum_steps
            loss.backward()
            if (b + 1) % args.accum_steps == 0 or b + 1 == len(batches):
                opt.step()
            if b % args.log_every == 0:
                print(f"epoch {epoch} batch {b} loss {loss.item() * args.accum_steps:.4f}")


if __name__ == "__main__":
    main()
