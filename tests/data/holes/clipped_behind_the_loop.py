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
# === right: another optimizer steps behind it, with what was clipped
import torch


def train(net, tasks, loader, steps):
    heads = torch.optim.SGD(net.heads.parameters(), lr=0.1)
    trunk = torch.optim.SGD(net.trunk.parameters(), lr=0.1)
    for _ in range(steps):
        trunk.zero_grad()
        for x, y in loader:
            heads.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            heads.step()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        heads.zero_grad()
        trunk.step()
# === right: the one that steps behind it has the same parameters
import torch


def train(net, loader, epochs):
    fast = torch.optim.SGD(net.parameters(), lr=0.1)
    slow = torch.optim.Adam(net.parameters(), lr=0.01)
    for _ in range(epochs):
        for x, y in loader:
            fast.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            fast.step()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        slow.step()
# === right: the step behind it is for what a `break` left
import torch


def train(net, loader, stop, epochs):
    fast = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(epochs):
        for x, y in loader:
            fast.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            if stop():
                break
            fast.step()
        torch.nn.utils.clip_grad_value_(net.parameters(), 1.0)
        fast.step()
# === right: a call that nobody can look into has the network, or the optimizer
import torch
from fed import upload_gradients


def train(net, loader, optimizer, share, outer, rounds):
    for _ in range(rounds):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        upload_gradients(net)
        optimizer.zero_grad()
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        torch.nn.utils.clip_grad_value_(net.parameters(), 1.0)
        share(net)
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        outer.step()
# === they are cleared before another steps, and before the network is handed on; it is saved, and tested
import torch


def train(net, loader, share, epochs):
    fast = torch.optim.SGD(net.parameters(), lr=0.1)
    slow = torch.optim.Adam(net.parameters(), lr=0.01)
    for epoch in range(epochs):
        for x, y in loader:
            fast.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            fast.step()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)  # <- clip-after-step
        print(epoch, validate(net), isinstance(net, torch.nn.Module))
        save_checkpoint(net)
        net.zero_grad()
        share(net)
        slow.step()
