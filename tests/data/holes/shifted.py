"""Windows that are shifted by a batch, and the rest that an epoch leaves with them."""

# === the first one longer
import torch
import torch.nn.functional as F


def train(model, loader, epochs, accum=4):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            loss = F.cross_entropy(model(x), y) / accum
            loss.backward()
            if i % accum == 0 and i > 0:  # <- accumulation-off-by-one, dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()

# === the first one a single batch
import torch
import torch.nn.functional as F


def train(model, loader, epochs, accum=4):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            loss = F.cross_entropy(model(x), y) / accum
            loss.backward()
            if i % accum == 0:  # <- accumulation-off-by-one, dropped-accumulation-tail
                optimizer.step()
                optimizer.zero_grad()

# === the first one a single batch, and the rest is stepped
import torch
import torch.nn.functional as F


def train(model, loader, epochs, accum=4):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            loss = F.cross_entropy(model(x), y) / accum
            loss.backward()
            if i % accum == 0 or i + 1 == len(loader):  # <- accumulation-off-by-one
                optimizer.step()
                optimizer.zero_grad()

# === right: a counter that starts at one, and the rest is stepped
import torch
import torch.nn.functional as F


def train(model, loader, epochs, accum=4):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader, 1):
            loss = F.cross_entropy(model(x), y) / accum
            loss.backward()
            if i % accum == 0 or i == len(loader):
                optimizer.step()
                optimizer.zero_grad()

# === right: a window is begun, and ended by its last batch
import torch
import torch.nn.functional as F


def train(model, loader, epochs, accum=4):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            if i % accum == 0:
                optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y) / accum
            loss.backward()
            if i % accum == accum - 1 or i + 1 == len(loader):
                optimizer.step()
# === a count that goes on through all epochs, and is one ahead
import torch
import torch.nn.functional as F


def train(model, loader, epochs, accum=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    step = 0
    for epoch in range(epochs):
        for x, y in loader:
            step += 1
            (F.cross_entropy(model(x), y) / accum).backward()
            if (step + 1) % accum == 0:  # <- accumulation-off-by-one
                optimizer.step()
                optimizer.zero_grad()
