from itertools import islice

import torch


def train_epoch(model, data, optimizer, loss_fn, size):
    model.train()
    batches = iter(data.train_dataloader())
    updates = 0
    while window := list(islice(batches, size)):
        optimizer.zero_grad()
        for source, target in window:
            loss = loss_fn(model(source), target) / len(window)
            loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        updates += 1
    return updates


@torch.no_grad()
def test(model, data, loss_fn):
    model.eval()
    values = [loss_fn(model(source), target) for source, target in data.test_dataloader()]
    return torch.stack(values).mean().item()


def main(data, model, size=16, epochs=25):
    optimizer = torch.optim.Adamax(model.parameters(), lr=2e-3)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=2)
    loss_fn = torch.nn.HuberLoss() if data.has_outliers else torch.nn.MSELoss()
    for epoch in range(epochs):
        updates = train_epoch(model, data, optimizer, loss_fn, size)
        value = test(model, data, loss_fn)
        scheduler.step(value)
        print(f"{epoch}: {updates} updates, test {value:.4f}")
