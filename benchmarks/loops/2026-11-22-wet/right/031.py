import contextlib

import torch


@contextlib.contextmanager
def evaluating(model):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            yield model
    finally:
        model.train(was_training)


def validation_loss(model, loader, loss_fn, limit=50):
    values = []
    with evaluating(model):
        for n, (x, y) in enumerate(loader):
            if n == limit:
                break
            values.append(loss_fn(model(x), y).item())
    return sum(values) / len(values)


def train(model, data, loss_fn, steps=10_000, every=500):
    optimizer = torch.optim.RAdam(model.parameters(), lr=1e-3)
    model.train()
    step = 0
    while step < steps:
        for x, y in data.train_dataloader():
            loss = loss_fn(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
            if step % every == 0:
                value = validation_loss(model, data.val_dataloader(), loss_fn)
                print(f"{step}: train {loss.item():.4f} val {value:.4f}")
            if step == steps:
                break
    return model
