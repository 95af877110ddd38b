import torch

from optim import apply
from schedule import tick


def fit(model, loader, optimizer, warmup, epochs):
    seen = 0
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for tokens, target in loader:
            tick(optimizer, warmup, seen)
            loss = torch.nn.functional.cross_entropy(model(tokens).flatten(0, 1), target.flatten())
            loss.backward()
            apply(optimizer, model)
            total += loss.item()
            seen += 1
        print(f"[text] {epoch}: {total / len(loader):.4f}")
