"""Accumulate plain gradients, average them once before the update."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class SmallResNet(nn.Module):
    def __init__(self, width=6, classes=3):
        super().__init__()
        self.stem = nn.Conv2d(1, width, 3, padding=1)
        self.block = nn.Conv2d(width, width, 3, padding=1)
        self.fc = nn.Linear(width, classes)

    def forward(self, x):
        x = F.relu(self.stem(x))
        x = x + F.relu(self.block(x))
        return self.fc(x.mean(dim=(2, 3)))


def average_gradients(params, count):
    for p in params:
        if p.grad is not None:
            p.grad.div_(count)


def main(argv=()):
    parser = argparse.ArgumentParser()
    parser.add_argument("--accum-iter", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--clip-grad", type=float, default=1.0)
    args = parser.parse_args(list(argv))

    torch.manual_seed(0)
    x = torch.randn(84, 1, 8, 8)
    loader = DataLoader(TensorDataset(x, x.mean((1, 2, 3)).gt(0).long()), batch_size=6, shuffle=True)
    model = SmallResNet()
    params = list(model.parameters())
    optimizer = torch.optim.SGD(params, lr=0.1, momentum=0.9)

    for epoch in range(args.epochs):
        model.train()
        pending, total = 0, 0.0
        for n, (images, labels) in enumerate(loader, 1):
            loss = F.cross_entropy(model(images), labels)
            loss.backward()
            pending += 1
            total += loss.item()
            if pending == args.accum_iter or n == len(loader):
                average_gradients(params, pending)
                nn.utils.clip_grad_norm_(params, args.clip_grad)
                optimizer.step()
                optimizer.zero_grad()
                pending = 0
        print(f"epoch {epoch} loss {total / len(loader):.4f}")


if __name__ == "__main__":
    main()
