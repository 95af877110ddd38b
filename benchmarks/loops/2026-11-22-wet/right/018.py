from contextlib import nullcontext

import torch
from accelerate import Accelerator


def chunks(loader, size):
    group = []
    for item in loader:
        group.append(item)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group


def train(model, loader, loss_fn, accum=4, epochs=5):
    accelerator = Accelerator()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-4)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(epochs):
        model.train()
        mean = torch.zeros((), device=accelerator.device)
        for n, group in enumerate(chunks(loader, accum), 1):
            for k, (x, y) in enumerate(group):
                last = k + 1 == len(group)
                with nullcontext() if last else accelerator.no_sync(model):
                    loss = loss_fn(model(x), y) / len(group)
                    accelerator.backward(loss)
                mean += loss.detach()
            accelerator.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
            optimizer.zero_grad()
        accelerator.print(f"epoch {epoch}: {(mean / n).item():.4f}")
    return accelerator.unwrap_model(model)
