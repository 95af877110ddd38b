import itertools

import torch
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


def accuracy(model, loader, device):
    model.eval()
    right = total = 0
    for x, y in loader:
        with torch.no_grad():
            right += (model(x.to(device)).argmax(1).cpu() == y).sum().item()
        total += len(y)
    return right / total


def train(model, loader, val_loader, steps=20_000, device="cuda"):
    model = model.to(device)
    model.train()
    ema = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.999), use_buffers=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4)
    loss_fn = torch.nn.CrossEntropyLoss()
    feed = itertools.cycle(loader)
    for step in range(1, steps + 1):
        x, y = next(feed)
        loss = loss_fn(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema.update_parameters(model)
        if step % 1000 == 0:
            print(step, loss.item(), accuracy(ema, val_loader, device))
    return ema.module
