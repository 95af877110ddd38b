# === the first evaluation goes on before what wakes the network
import torch
import torch.nn.functional as F


def train(net, loader, held, every):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    best = None
    net.train()
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        F.mse_loss(net(x), y).backward()
        optimizer.step()
        if i % every == 0:
            net.eval()  # <- missing-train-mode
            with torch.no_grad():
                found = sum(F.mse_loss(net(x), y).item() for x, y in held)
            if not best:
                best = found
                continue
            best = min(best, found)
            net.train()
# === right: the first evaluation goes on behind what wakes the network
import torch
import torch.nn.functional as F


def train(net, loader, held, every):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    best = None
    net.train()
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        F.mse_loss(net(x), y).backward()
        optimizer.step()
        if i % every == 0:
            net.eval()
            with torch.no_grad():
                found = sum(F.mse_loss(net(x), y).item() for x, y in held)
            net.train()
            if not best:
                best = found
                continue
            best = min(best, found)
# === right: each turn wakes the network where it asks the count once more
import torch
import torch.nn.functional as F


def train(net, loader, held, every):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    best = None
    step = 0
    for x, y in loader:
        if step % every == 0:
            net.train()
        optimizer.zero_grad()
        F.mse_loss(net(x), y).backward()
        optimizer.step()
        step += 1
        if step % every == 0:
            net.eval()
            with torch.no_grad():
                found = sum(F.mse_loss(net(x), y).item() for x, y in held)
            if not best:
                best = found
                continue
            best = min(best, found)
