import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def train_epoch(net, loader, opt):
    net.train()
    for x, y in loader:
        opt.zero_grad()
        F.cross_entropy(net(x), y).backward()
        opt.step()


def evaluate_fgsm(net, loader, eps):
    net.eval()
    robust = clean = 0
    for x, y in loader:
        x = x.clone().requires_grad_(True)
        out = net(x)
        clean += (out.argmax(1) == y).sum().item()
        (g,) = torch.autograd.grad(F.cross_entropy(out, y), x)
        x_adv = (x + eps * g.sign()).detach()
        with torch.no_grad():
            robust += (net(x_adv).argmax(1) == y).sum().item()
    n = len(loader.dataset)
    return clean / n, robust / n


if __name__ == "__main__":
    torch.manual_seed(0)
    y = torch.randint(0, 3, (180,))
    x = torch.randn(180, 10) + 1.5 * F.one_hot(y, 10)
    train_dl = DataLoader(TensorDataset(x[:140], y[:140]), 20, shuffle=True)
    val_dl = DataLoader(TensorDataset(x[140:], y[140:]), 20)
    net = nn.Sequential(nn.Linear(10, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 3))
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for epoch in range(3):
        train_epoch(net, train_dl, opt)
        c, r = evaluate_fgsm(net, val_dl, eps=0.2)
        print(f"epoch {epoch}: clean {c:.3f} robust {r:.3f}")
