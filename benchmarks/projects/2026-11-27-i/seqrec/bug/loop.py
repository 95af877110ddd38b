def run_epoch(model, loss_fn, optimizer, loader, accumulate):
    model.train()
    total = 0.0
    for i, (history, positive, negative) in enumerate(loader):
        pos, neg = model(history, positive, negative)
        loss = loss_fn(pos, neg)
        total += loss.item()
        (loss / accumulate).backward()
        if (i + 1) % accumulate == 0:
            optimizer.step()
            optimizer.zero_grad()
    return total / len(loader)
