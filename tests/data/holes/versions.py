# === a version that has a scaler, tried in two ways
import torch


def make_grad_scaler(enabled: bool):
    if hasattr(torch, "amp") and hasattr(torch.amp, "GradScaler"):
        try:
            return torch.amp.GradScaler("cuda", enabled=enabled)
        except TypeError:
            return torch.amp.GradScaler(enabled=enabled)
    return torch.cuda.amp.GradScaler(enabled=enabled)


def train(model, loader, config):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = make_grad_scaler(enabled=bool(config["train"]["amp"]))
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        scaler.scale(loss).backward()
        optimizer.step()  # <- step-bypasses-scaler
        scaler.update()
# === a version that has a scaler
import torch


def make_grad_scaler(enabled: bool):
    if hasattr(torch, "amp") and hasattr(torch.amp, "GradScaler"):
        return torch.amp.GradScaler("cuda", enabled=enabled)
    return torch.cuda.amp.GradScaler(enabled=enabled)


def train(model, loader, config):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = make_grad_scaler(enabled=bool(config["train"]["amp"]))
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        scaler.scale(loss).backward()
        optimizer.step()  # <- step-bypasses-scaler
        scaler.update()
# === the same, and the step goes through it
import torch


def make_grad_scaler(enabled: bool):
    if hasattr(torch, "amp") and hasattr(torch.amp, "GradScaler"):
        try:
            return torch.amp.GradScaler("cuda", enabled=enabled)
        except TypeError:
            return torch.amp.GradScaler(enabled=enabled)
    return torch.cuda.amp.GradScaler(enabled=enabled)


def train(model, loader, config):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = make_grad_scaler(enabled=bool(config["train"]["amp"]))
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
# === what no version has is asked for
import torch


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        if hasattr(torch.amp, "StepsByItself"):
            torch.nn.functional.mse_loss(model(x), y).backward()
            continue
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
