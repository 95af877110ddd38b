# === right: the rate takes the division, by way of a name
import torch
import torch.nn.functional as F


def train(model, batches, get_lr, accum=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for i, (x, y) in enumerate(batches):
        lr = get_lr(i) / accum
        for group in opt.param_groups:
            group["lr"] = lr
        F.mse_loss(model(x), y).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()

# === right: the rate of the first group takes the division
import torch
import torch.nn.functional as F


def train(model, batches):
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    accum, base = 4, 0.3
    for i, (x, y) in enumerate(batches):
        opt.param_groups[0]["lr"] = base / accum
        F.mse_loss(model(x), y).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()

# === right: a helper sets the rate, which takes the division
import torch
import torch.nn.functional as F


def set_lr(optimizer, lr):
    for group in optimizer.param_groups:
        group["lr"] = lr


def train(model, batches, base, accum):
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for i, (x, y) in enumerate(batches):
        set_lr(opt, base / accum)
        F.mse_loss(model(x), y).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()

# === right: the rate is multiplied and divided
import torch
import torch.nn.functional as F


def train(model, batches, base, workers, accum):
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for i, (x, y) in enumerate(batches):
        lr = base * workers / accum
        for group in opt.param_groups:
            group["lr"] = lr
        F.mse_loss(model(x), y).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()

# === right: the share has a name of its own
import torch
import torch.nn.functional as F


def train(model, batches, accum):
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for i, (x, y) in enumerate(batches):
        lr_scale = 1 / accum
        lr = 0.3 * lr_scale
        for group in opt.param_groups:
            group["lr"] = lr
        F.mse_loss(model(x), y).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()

# === right: the share has a name of its own, and the optimizer is made with it
import torch
import torch.nn.functional as F


def train(model, batches, base, accum):
    lr_scale = 1 / accum
    opt = torch.optim.SGD(model.parameters(), lr=base * lr_scale)
    for i, (x, y) in enumerate(batches):
        F.mse_loss(model(x), y).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()

# === right: each rate is divided where it is
import torch
import torch.nn.functional as F


def train(model, batches, accum):
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for group in opt.param_groups:
        group["lr"] /= accum
    for i, (x, y) in enumerate(batches):
        F.mse_loss(model(x), y).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()

# === right: the only group is made with the share
import torch
import torch.nn.functional as F


def train(model, batches, base, accum):
    opt = torch.optim.SGD([{"params": model.parameters(), "lr": base / accum}], lr=base)
    for i, (x, y) in enumerate(batches):
        F.mse_loss(model(x), y).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()

# === the rate is divided by the number of processes
import torch
import torch.nn.functional as F


def train(model, batches, base, world_size, accum):
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for i, (x, y) in enumerate(batches):
        lr = base / world_size
        for group in opt.param_groups:
            group["lr"] = lr
        F.mse_loss(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()

# === the rate is divided by the number of epochs
import torch
import torch.nn.functional as F


def train(model, batches, base, epochs=10, accum=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for i, (x, y) in enumerate(batches):
        lr = base / epochs
        for group in opt.param_groups:
            group["lr"] = lr
        F.mse_loss(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()

# === the rate of another optimizer is divided
import torch
import torch.nn.functional as F


def train(model, other, batches, base, accum):
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    two = torch.optim.SGD(other.parameters(), lr=base)
    for i, (x, y) in enumerate(batches):
        two.param_groups[0]["lr"] = base / accum
        F.mse_loss(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()

# === the decay is divided, and not the rate
import torch
import torch.nn.functional as F


def train(model, batches, base, accum):
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for i, (x, y) in enumerate(batches):
        opt.param_groups[0]["weight_decay"] = base / accum
        F.mse_loss(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()

# === Adam does not care for the size of a gradient, nor for a share of it
import torch
import torch.nn.functional as F


def train(model, batches, base, accum):
    opt = torch.optim.Adam(model.parameters())
    for i, (x, y) in enumerate(batches):
        opt.param_groups[0]["lr"] = base / accum
        F.mse_loss(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
# === groups are told the rate of a mean all at once
import torch
import torch.nn.functional as F


def train(model, loader, base, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=base)
    for group in optimizer.param_groups:
        group.update(lr=base / accum)
    for i, (x, y) in enumerate(loader):
        F.mse_loss(model(x), y).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === groups are told another rate all at once
import torch
import torch.nn.functional as F


def train(model, loader, base, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=base)
    for group in optimizer.param_groups:
        group.update(lr=base / 2, weight_decay=0.1)
    for i, (x, y) in enumerate(loader):
        F.mse_loss(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
