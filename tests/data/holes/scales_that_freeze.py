# === scaled gradients are asked whether they are finite, and the scale is never lowered
import torch
import torch.nn.functional as F


def largest(net):
    return max(p.grad.abs().max() for p in net.parameters())


def train(net, opt, loader):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        opt.zero_grad()
        with torch.autocast("cuda"):
            loss = F.mse_loss(net(x), y)
        scaler.scale(loss).backward()
        if not torch.isfinite(largest(net)):
            continue
        scaler.step(opt)  # <- missing-scaler-update
        scaler.update()

# === the scaler is updated each time, of gradients that it has unscaled
import torch
import torch.nn.functional as F


def largest(net):
    return max(p.grad.abs().max() for p in net.parameters())


def train(net, opt, loader):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        opt.zero_grad()
        with torch.autocast("cuda"):
            loss = F.mse_loss(net(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        if torch.isfinite(largest(net)):
            scaler.step(opt)
        scaler.update()

# === it is told a lower scale on the other way
import torch
import torch.nn.functional as F


def largest(net):
    return max(p.grad.abs().max() for p in net.parameters())


def train(net, opt, loader):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        opt.zero_grad()
        with torch.autocast("cuda"):
            loss = F.mse_loss(net(x), y)
        scaler.scale(loss).backward()
        if torch.isfinite(largest(net)):
            scaler.step(opt)
            scaler.update()
        else:
            scaler.update(scaler.get_scale() / 2)

# === the loss is asked, which no scale makes infinite
import torch
import torch.nn.functional as F


def train(net, opt, loader):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        opt.zero_grad()
        with torch.autocast("cuda"):
            loss = F.mse_loss(net(x), y)
        scaler.scale(loss).backward()
        print(max(p.grad.abs().max() for p in net.parameters()))
        if torch.isfinite(loss):
            scaler.step(opt)
            scaler.update()

# === gradients of no scaler are asked
import torch
import torch.nn.functional as F


def train(net, opt, loader):
    for x, y in loader:
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        if all(torch.isfinite(p.grad).all() for p in net.parameters()):
            opt.step()
