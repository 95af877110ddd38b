import torch
from data import build_loader
from models import Net
from torch import nn

backbone = Net(pretrained=True).eval().requires_grad_(False)
head = nn.Linear(6, 3)
opt = torch.optim.SGD(head.parameters(), lr=0.05, momentum=0.9)
train, val = build_loader("train"), build_loader("val")


def features(x):
    with torch.no_grad():
        return backbone(x)


for epoch in range(3):
    for x, y in train:
        loss = nn.functional.cross_entropy(head(features(x)), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        acc = torch.cat([head(features(x)).argmax(1) == y for x, y in val]).float().mean()
    print("epoch", epoch, "linear probe", acc.item())
