# === a generator says which batch ends a window, and forgets the last of an epoch
import torch


def windows(loader, every):
    for number, batch in enumerate(loader, start=1):
        yield batch, number % every == 0


def fit(net, loader, criterion, epochs):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(epochs):
        for (x, y), last in windows(loader, 4):
            (criterion(net(x), y) / 4).backward()
            if last:  # <- dropped-accumulation-tail
                sgd.step()
                sgd.zero_grad()

# === one that knows where the loader ends
import torch


def windows(loader, every):
    for number, batch in enumerate(loader, start=1):
        yield batch, number % every == 0 or number == len(loader)


def fit(net, loader, criterion, epochs):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(epochs):
        for (x, y), last in windows(loader, 4):
            (criterion(net(x), y) / 4).backward()
            if last:
                sgd.step()
                sgd.zero_grad()

# === one that says when to write something down
import torch


def told(loader, every):
    for number, batch in enumerate(loader, start=1):
        yield batch, number % every == 0


def fit(net, loader, criterion, epochs):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(epochs):
        for (x, y), speaks in told(loader, 4):
            sgd.zero_grad()
            loss = criterion(net(x), y)
            loss.backward()
            sgd.step()
            if speaks:
                print(loss.item())
