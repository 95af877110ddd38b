import torch

from .dist_utils import gate
from .objective import joint_error


def train(model, loaders, optimizer, epochs, accum):
    for epoch in range(epochs):
        loaders.shuffle(epoch)
        model.train()
        running = 0.0
        optimizer.zero_grad()
        for i, batch in enumerate(loaders.train):
            last = (i + 1) % accum == 0 or i + 1 == len(loaders.train)
            term = joint_error(model, batch)
            with gate(model, last):
                loss = term()
                (loss / accum).backward()
            running += loss.item()
            if last:
                optimizer.step()
                optimizer.zero_grad()
        print(f"{epoch}: {running / len(loaders.train):.4f} / {validate(model, loaders):.4f}")


def validate(model, loaders):
    model.eval()
    with torch.no_grad():
        errors = [joint_error(model, batch)().item() for batch in loaders.val]
    return sum(errors) / len(errors)
