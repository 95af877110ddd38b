import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def get_args():
    parser = argparse.ArgumentParser(description="tiny CIFAR-like training")
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--grad-accum", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--lr", type=float, default=0.05)
    return parser.parse_args()


def build_model():
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(2),
        nn.Flatten(),
        nn.Linear(32, 5),
    )


def train_one_epoch(model, loader, criterion, optimizer, args, epoch):
    model.train()
    running, n = 0.0, 0
    optimizer.zero_grad()
    for batch_idx, (images, target) in enumerate(loader):
        output = model(images)
        loss = criterion(output, target)
        running += loss.item() * images.size(0)
        n += images.size(0)

        loss = loss / args.batch_size
        loss.backward()

        if (batch_idx + 1) % args.grad_accum == 0 or batch_idx + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
    print(f"epoch {epoch}: train loss {running / n:.4f}")


def main():
    args = get_args()
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(192, 3, 8, 8), torch.randint(0, 5, (192,)))
    loader = DataLoader(data, batch_size=args.batch_size, shuffle=True)
    model = build_model()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    for epoch in range(args.epochs):
        train_one_epoch(model, loader, criterion, optimizer, args, epoch)


if __name__ == "__main__":
    main()
