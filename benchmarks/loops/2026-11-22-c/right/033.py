import torch
from torch import nn
from torch.utils.data import DataLoader, Subset


def divisible_loader(dataset, batch_size, accum):
    usable = len(dataset) // (batch_size * accum) * batch_size * accum
    loader = DataLoader(Subset(dataset, range(usable)), batch_size=batch_size, shuffle=True)
    assert len(loader) % accum == 0, "the window must divide the epoch"
    return loader


def train(model, dataset, *, batch_size=16, accum=4, epochs=10, lr=3e-4):
    loader = divisible_loader(dataset, batch_size, accum)
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    warmup = torch.optim.lr_scheduler.LinearLR(optimizer, 0.1, total_iters=50)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        model.train()
        for i, (x, y) in enumerate(loader):
            loss = criterion(model(x), y)
            (loss / accum).backward()
            if (i + 1) % accum == 0:
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                warmup.step()
                optimizer.zero_grad()
        print(f"epoch {epoch} {loss.item():.4f}")
    return model
