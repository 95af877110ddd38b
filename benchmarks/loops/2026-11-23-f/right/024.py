import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def attack(net, x, y, eps=0.05):
    net.eval()
    adv = x.clone().requires_grad_(True)
    loss = nn.functional.cross_entropy(net(adv), y)
    (grad,) = torch.autograd.grad(loss, adv)
    net.train()
    return (x + eps * grad.sign()).detach()


def main():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(6, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Linear(24, 2))
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    x = torch.randn(64, 6)
    loader = DataLoader(TensorDataset(x, (x[:, 1] > 0).long()), batch_size=16, shuffle=True)
    for epoch in range(3):
        for xb, yb in loader:
            xa = attack(net, xb, yb)
            loss = nn.functional.cross_entropy(net(xa), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
