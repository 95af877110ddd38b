import argparse

import torch
import torch.nn as nn
from tqdm import tqdm

from data import train_loader
from models import *


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--epochs", type=int, default=90)
    parser.add_argument("--clip", type=float, default=1.0)
    parser.add_argument("--classes", type=int, default=10)
    return parser.parse_args()


def main():
    args = parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = ResNetSmall(num_classes=args.classes).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)

    for epoch in range(args.epochs):
        model.train()
        for images, targets in tqdm(train_loader, desc=f"epoch {epoch}"):
            images, targets = images.to(device), targets.to(device)
            optimizer.zero_grad()
            loss = criterion(model(images), targets)
            loss.backward()
            optimizer.step()
            nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        torch.save(model.state_dict(), f"ckpt_{epoch}.pt")


if __name__ == "__main__":
    main()
