import torch
from torch import nn


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(17)
    model = nn.Sequential(nn.Linear(6, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.4), nn.Linear(32, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    xv = torch.randn(40, 6)
    yv = (xv[:, 0] > 0).long()
    model.train()
    for epoch in range(4):
        for _ in range(8):
            x = torch.randn(20, 6)
            y = (x[:, 0] > 0).long()
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        print(epoch, evaluate(model, xv, yv))


main()
