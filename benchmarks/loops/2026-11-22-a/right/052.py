import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

from micronet import MicroNet

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.2, help="learning rate for the mean over a window")
parser.add_argument("--window", type=int, default=16)
parser.add_argument("--epochs", type=int, default=90)
args = parser.parse_args()

transform = transforms.Compose([transforms.RandomCrop(32, padding=4), transforms.ToTensor()])
train_set = datasets.SVHN("data", "train", transform, download=True)
loader = DataLoader(train_set, batch_size=32, shuffle=True, num_workers=2, drop_last=True)
model = MicroNet(classes=10).cuda()
criterion = nn.CrossEntropyLoss()
# gradients of a window are summed; without momentum and weight decay a smaller rate is the same as their mean
optimizer = torch.optim.SGD(model.parameters(), lr=args.lr / args.window)

last = len(loader)
for epoch in range(args.epochs):
    model.train()
    correct = total = 0
    for i, (x, y) in enumerate(loader, 1):
        x, y = x.cuda(), y.cuda()
        logits = model(x)
        criterion(logits, y).backward()
        if i % args.window == 0 or i == last:
            optimizer.step()
            optimizer.zero_grad()
        correct += (logits.argmax(1) == y).sum().item()
        total += len(y)
    print(f"epoch {epoch} train acc {correct / total:.4f}")
