import argparse

import torch
from torch import nn, optim

from cifar_tools import loaders, resnet20

parser = argparse.ArgumentParser(description="CIFAR-10")
parser.add_argument("--epochs", default=164, type=int)
parser.add_argument("--lr", default=0.1, type=float)
parser.add_argument("--batch-size", default=128, type=int)
args = parser.parse_args()

net = resnet20()
trainloader, testloader = loaders(args.batch_size)
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(net.parameters(), lr=args.lr, momentum=0.9, weight_decay=1e-4)
scheduler = optim.lr_scheduler.MultiStepLR(optimizer, milestones=[81, 122], gamma=0.1)


def train():
    net.train()
    for inputs, targets in trainloader:
        optimizer.zero_grad()
        loss = criterion(net(inputs), targets)
        loss.backward()
        optimizer.step()
    return loss.item()


def test():
    net.eval()
    correct = total = 0
    for inputs, targets in testloader:
        outputs = net(inputs)
        correct += outputs.max(1)[1].eq(targets).sum().item()
        total += targets.size(0)
    return 100.0 * correct / total


for epoch in range(args.epochs):
    scheduler.step()
    loss = train()
    print(f"Epoch {epoch} lr {scheduler.get_last_lr()[0]:.4f} loss {loss:.3f} acc {test():.2f}%")
