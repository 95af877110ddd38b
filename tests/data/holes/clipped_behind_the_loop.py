# === a clip behind the batches of an epoch, whose steps have used all gradients
import torch


def train(model, loader, optimizer, epochs):
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)  # <- clip-after-step
        print(epoch)
# === behind all epochs, and behind a step that a helper makes
import torch


def update(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def train(model, loader, optimizer, epochs):
    for _ in range(epochs):
        for x, y in loader:
            update(model, optimizer, x, y)
    torch.nn.utils.clip_grad_value_(model.parameters(), 5.0)  # <- clip-after-step
# === right: the step for what the last window leaves stands behind it
import torch


def train(model, loader, optimizer, epochs, accum):
    for _ in range(epochs):
        for i, (x, y) in enumerate(loader):
            (torch.nn.functional.mse_loss(model(x), y) / accum).backward()
            if (i + 1) % accum == 0:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
                optimizer.step()
                optimizer.zero_grad()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        optimizer.zero_grad()
# === right: one step for all batches
import torch


def train(model, loader, optimizer, epochs):
    for _ in range(epochs):
        optimizer.zero_grad()
        for x, y in loader:
            (torch.nn.functional.mse_loss(model(x), y) / len(loader)).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
# === right: the last gradients are clipped for who gets them
import torch


def serve(model, loader, optimizer, send):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    send([p.grad for p in model.parameters()])
# === they are looked at in the loop only, and before the step
import torch


def train(model, loader, optimizer, log):
    for _ in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            log([p.grad for p in model.parameters()])
            optimizer.step()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)  # <- clip-after-step
