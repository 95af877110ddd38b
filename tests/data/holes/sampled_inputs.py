# === right: an input is moved by its own gradient before the network is trained on it
import torch


def refine(net, z, y, turns):
    for _ in range(turns):
        z = z.detach().requires_grad_()
        torch.nn.functional.mse_loss(net(z), y, reduction="sum").backward()
        z = z - 0.1 * z.grad
    return z.detach()


def train(net, loader, scaler, epochs):
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(epochs):
        for z, y in loader:
            optimizer.zero_grad()
            z = refine(net, z, y, 5)
            with torch.autocast("cuda"):
                loss = torch.nn.functional.mse_loss(net(z), y)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
# === a second loss is not scaled, in a helper
import torch


def penalty(net, z):
    loss = net(z).square().mean()
    loss.backward()  # <- unscaled-backward


def train(net, loader, epochs):
    optimizer = torch.optim.Adam(net.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for _ in range(epochs):
        for z, y in loader:
            optimizer.zero_grad()
            penalty(net, z)
            with torch.autocast("cuda"):
                loss = torch.nn.functional.mse_loss(net(z), y)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
