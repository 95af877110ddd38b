import torch
import torch.nn.functional as F


def pack_windows(batches, samples_per_update):
    window, size = [], 0
    for batch in batches:
        window.append(batch)
        size += len(batch["label"])
        if size >= samples_per_update:
            yield window, size
            window, size = [], 0
    if window:
        yield window, size


def train_epoch(model, optimizer, batches, samples_per_update, device="cuda"):
    model.train()
    seen, loss_sum = 0, 0.0
    for window, size in pack_windows(batches, samples_per_update):
        optimizer.zero_grad(set_to_none=True)
        for batch in window:
            label = batch["label"].to(device)
            loss = F.cross_entropy(model(batch["points"].to(device)), label)
            share = len(label) / size
            (loss * share).backward()
            loss_sum += loss.item() * len(label)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        seen += size
    return loss_sum / seen


def fit(model, batches, epochs, lr=1e-3, samples_per_update=256):
    model.to("cuda")
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    for epoch in range(epochs):
        print(epoch, train_epoch(model, optimizer, batches, samples_per_update))
