import torch
from torch.nn.functional import cross_entropy

from .factory import build_loader, build_model, build_sync


def train(epochs, window):
    model, loader = build_model(), build_loader()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    guard = build_sync(model, window, len(loader))
    tail = len(loader) % window
    full = len(loader) - tail
    for epoch in range(epochs):
        optimizer.zero_grad()
        seen = 0.0
        for n, (x, adj, y) in enumerate(loader, start=1):
            size = window if n <= full else tail
            with guard(n):
                loss = cross_entropy(model(x, adj), y)
                (loss / size).backward()
            seen += loss.item()
            if n % window == 0 or n == len(loader):
                optimizer.step()
                optimizer.zero_grad()
        print(f"epoch {epoch} loss {seen / len(loader):.4f}")
