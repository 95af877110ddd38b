import torch
from torch import nn
from tqdm import tqdm

from data import train_loader
from models import *


def train_epoch(model, loader, optimizer, criterion, device, max_norm):
    model.train()
    norms, total = [], 0.0
    for i, (x, y) in tqdm(enumerate(loader), total=len(loader)):
        x, y = x.to(device), y.to(device)
        loss = criterion(model(x), y)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        optimizer.zero_grad()
        norms.append(norm.item())
        total += loss.item()
        if i % 50 == 0:
            print(f"{i:5d} {total / (i + 1):.4f} {max(norms[-50:]):.2f}")
    return total / len(loader)


def main():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = WideResNet(depth=28, width=10).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    criterion = nn.CrossEntropyLoss()
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[60, 120, 160], gamma=0.2)
    for epoch in range(200):
        loss = train_epoch(model, train_loader, optimizer, criterion, device, max_norm=5.0)
        scheduler.step()
        print(epoch, loss)


if __name__ == "__main__":
    main()
