"""Train a small CNN on 16x16 thumbnails. Usage: python train.py --epochs 2 --grad-accum 4"""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split


def build_parser():
    parser = argparse.ArgumentParser(description="thumbnail classifier")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--grad-accum", type=int, default=4, help="effective batch = batch-size * grad-accum")
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=7)
    return parser


class ThumbNet(nn.Module):
    def __init__(self, classes=5):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 6, 3, padding=1)
        self.conv2 = nn.Conv2d(6, 8, 3, stride=2, padding=1)
        self.head = nn.Linear(8 * 8 * 8, classes)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.relu(self.conv2(x))
        return self.head(x.flatten(1))


@torch.no_grad()
def accuracy(net, loader):
    net.eval()
    good = seen = 0
    for images, targets in loader:
        good += (net(images).argmax(1) == targets).sum().item()
        seen += targets.numel()
    return good / seen


def main():
    args = build_parser().parse_args()
    torch.manual_seed(args.seed)
    data = TensorDataset(torch.randn(100, 3, 16, 16), torch.randint(0, 5, (100,)))
    train_set, val_set = random_split(data, [80, 20])
    train_loader = DataLoader(train_set, batch_size=args.batch_size, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=20)

    net = ThumbNet()
    optimizer = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs)

    for epoch in range(args.epochs):
        net.train()
        optimizer.zero_grad()
        epoch_loss = 0.0
        for step, (images, targets) in enumerate(train_loader, start=1):
            loss = F.cross_entropy(net(images), targets, label_smoothing=0.1)
            loss.backward()
            epoch_loss += loss.item()
            if step % args.grad_accum == 0 or step == len(train_loader):
                optimizer.step()
                optimizer.zero_grad()
        scheduler.step()
        print(f"epoch {epoch}: loss {epoch_loss / len(train_loader):.4f} val acc {accuracy(net, val_loader):.3f}")


if __name__ == "__main__":
    main()
