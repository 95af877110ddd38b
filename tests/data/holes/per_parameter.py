# === a limit for each parameter, while the gradients are scaled
import torch


def limit_each(params, factor):
    for p in params:
        if p.grad is None:
            continue
        bound = p.detach().norm().clamp(min=1e-3) * factor
        size = p.grad.norm()
        p.grad.mul_(torch.clamp(bound / (size + 1e-6), max=1.0))


def train(model, criterion, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        limit_each(model.parameters(), 0.01)  # <- clip-scaled-gradients
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
# === a limit for each parameter, once the gradients are unscaled
import torch


def limit_each(params, factor):
    for p in params:
        if p.grad is None:
            continue
        bound = p.detach().norm().clamp(min=1e-3) * factor
        size = p.grad.norm()
        p.grad.mul_(torch.clamp(bound / (size + 1e-6), max=1.0))


def train(model, criterion, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        limit_each(model.parameters(), 0.01)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
# === a limit for each weight behind the step
import torch


def train(model, criterion, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        for p in model.parameters():  # <- clip-after-step
            if p.grad is not None and p.ndim > 1:
                size = torch.linalg.vector_norm(p.grad)
                p.grad *= 0.5 / max(size, 0.5)
        optimizer.zero_grad()
# === each gradient is brought to length one, which no scale changes
import torch


def train(model, criterion, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        for p in model.parameters():
            if p.grad is not None:
                p.grad.div_(p.grad.norm())
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
