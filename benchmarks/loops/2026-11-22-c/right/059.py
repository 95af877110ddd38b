import bisect

import torch
import torch.nn.functional as F

CURRICULUM = {0: 1, 5: 2, 20: 4}


def window_for(epoch):
    starts = sorted(CURRICULUM)
    return CURRICULUM[starts[bisect.bisect_right(starts, epoch) - 1]]


def window_size(i, n, total):
    start = i // n * n
    return min(n, total - start)


def train(model, loader, epochs=40, lr=0.05, clip=1.0):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.98)
    total = len(loader)
    for epoch in range(epochs):
        n = window_for(epoch)
        model.train()
        optimizer.zero_grad()
        epoch_loss = 0.0
        for i, (x, y) in enumerate(loader):
            loss = F.cross_entropy(model(x), y)
            (loss / window_size(i, n, total)).backward()
            epoch_loss += loss.item()
            if (i + 1) % n == 0 or i + 1 == total:
                torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
                optimizer.step()
                optimizer.zero_grad()
        scheduler.step()
        print(f"epoch {epoch:02d} window {n} loss {epoch_loss / total:.4f}")
    return model
