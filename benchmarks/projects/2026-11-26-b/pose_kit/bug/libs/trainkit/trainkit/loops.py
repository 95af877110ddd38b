import torch


def train(model, loader, loss_fn, backward, update, due):
    model.train()
    total = 0.0
    for index, (inputs, targets) in enumerate(loader):
        loss = loss_fn(model(inputs), targets)
        backward(loss)
        total += loss.item()
        if due(index):
            update()
    return total / len(loader)


@torch.no_grad()
def validate(model, loader, loss_fn):
    model.eval()
    return sum(loss_fn(model(inputs), targets).item() for inputs, targets in loader) / len(loader)
