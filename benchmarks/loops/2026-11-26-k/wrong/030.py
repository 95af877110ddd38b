import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(net, loader, opt):
    net.train()
    for x, y in loader:
        opt.zero_grad()
        nn.functional.l1_loss(net(x), y).backward()
        opt.step()


def validate(net, loader):
    net.eval()
    errors = []
    for x, y in loader:
        pred = net(x)
        errors.append((pred - y).abs().mean().item())
    return sum(errors) / len(errors)


def main():
    torch.manual_seed(20)
    hours = torch.rand(300, 4)
    load = (hours * torch.tensor([3.0, -1.0, 2.0, 0.5])).sum(1, keepdim=True).sin()
    tr = DataLoader(TensorDataset(hours[:240], load[:240]), 24, shuffle=True)
    va = DataLoader(TensorDataset(hours[240:], load[240:]), 20)
    net = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 1))
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for epoch in range(5):
        train(net, tr, opt)
        print(epoch, f"val mae {validate(net, va):.4f}")


main()
