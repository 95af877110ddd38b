# === a boundary under a name that is true one batch late, and leaves a rest
import torch


def train(model, loader, accum=4):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for i, (x, y) in enumerate(loader):
            due = i % accum == 0
            (((model(x) - y) ** 2).mean() / accum).backward()
            if due:  # <- accumulation-off-by-one, dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()


# === a boundary under a name that is true at its end, and at the epoch's
import torch


def train(model, loader, accum=4):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for i, (x, y) in enumerate(loader):
            due = (i + 1) % accum == 0 or i + 1 == len(loader)
            (((model(x) - y) ** 2).mean() / accum).backward()
            if due:
                optimizer.step()
                optimizer.zero_grad()
