from contextlib import nullcontext

import torch

import datasets


def train_one_epoch(model, criterion, loader, optimizer, device, epoch, args):
    model.train()
    datasets.start_epoch(loader, epoch)
    optimizer.zero_grad()
    batches = len(loader)
    total = 0.0
    for i, (x, y) in enumerate(loader):
        x, y = x.to(device), y.to(device)
        update = (i + 1) % args.accum == 0 or (i + 1) == batches
        window = args.accum if i < batches - batches % args.accum else batches % args.accum

        with nullcontext() if update else args.defer():
            loss = criterion(model(x), y)
            (loss / window).backward()
        total += loss.item()

        if update:
            optimizer.step()
            optimizer.zero_grad()
    print(f"[{epoch}] train loss {total / batches:.4f}")


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    hits, seen = 0, 0
    for x, y in loader:
        guess = model(x.to(device)).argmax(1).cpu()
        hits += (guess == y).sum().item()
        seen += len(y)
    return hits / seen
