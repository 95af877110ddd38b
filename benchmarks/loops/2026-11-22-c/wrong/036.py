import numpy as np
import torch
import torch.nn.functional as F

ACCUMULATE = 4


def mixup(x, y, alpha=0.2):
    lam = float(np.random.beta(alpha, alpha))
    order = torch.randperm(x.size(0))
    return lam * x + (1 - lam) * x[order], y, y[order], lam


def mixup_loss(model, x, y):
    mixed, a, b, lam = mixup(x, y)
    logits = model(mixed)
    loss = lam * F.cross_entropy(logits, a) + (1 - lam) * F.cross_entropy(logits, b)
    return loss / ACCUMULATE


def train(model, loader, epochs=90, lr=0.1):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    for epoch in range(epochs):
        model.train()
        optimizer.zero_grad()
        shown = 0.0
        for i, (x, y) in enumerate(loader):
            loss = mixup_loss(model, x, y)
            shown += loss.item()
            loss = loss / ACCUMULATE
            loss.backward()
            if (i + 1) % ACCUMULATE == 0 or i == len(loader) - 1:
                optimizer.step()
                optimizer.zero_grad()
        scheduler.step()
        print(f"epoch {epoch}: {shown * ACCUMULATE / len(loader):.4f}")
    return model
