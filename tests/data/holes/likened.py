# === a target is made of the type of an output
import torch


def criterion(target, output):
    target = target.to(output.dtype)
    return -(target * torch.log(output)).mean()


def train(model, loader, steps):
    optimizer = torch.optim.Adam(model.parameters())
    for n, (x, target) in enumerate(loader, 1):
        criterion(target, model(x)).backward()  # <- unscaled-accumulation-loss
        if n % steps == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: a target is made of the type of an output
import torch


def criterion(target, output):
    target = target.to(output.dtype)
    return -(target * torch.log(output)).mean()


def train(model, loader, steps):
    optimizer = torch.optim.Adam(model.parameters())
    for n, (x, target) in enumerate(loader, 1):
        (criterion(target, model(x)) / steps).backward()
        if n % steps == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a target is moved to where an output is, and shaped like it
import torch


def criterion(target, output):
    target = target.to(output.device).view_as(output)
    return (1 - target * output).clamp(min=0).mean()


def train(model, loader, steps):
    optimizer = torch.optim.Adam(model.parameters())
    for n, (x, target) in enumerate(loader, 1):
        criterion(target, model(x)).backward()  # <- unscaled-accumulation-loss
        if n % steps == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: a target is moved to where an output is, and shaped like it
import torch


def criterion(target, output):
    target = target.to(output.device).view_as(output)
    return (1 - target * output).clamp(min=0).mean()


def train(model, loader, steps):
    optimizer = torch.optim.Adam(model.parameters())
    for n, (x, target) in enumerate(loader, 1):
        (criterion(target, model(x)) / steps).backward()
        if n % steps == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === weights are made where an output is
import torch


def criterion(target, output):
    weights = torch.tensor([0.2, 0.8], dtype=output.dtype, device=output.device)
    return (weights[target] * output).mean()


def train(model, loader, steps):
    optimizer = torch.optim.Adam(model.parameters())
    for n, (x, target) in enumerate(loader, 1):
        criterion(target, model(x)).backward()  # <- unscaled-accumulation-loss
        if n % steps == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: weights are made where an output is
import torch


def criterion(target, output):
    weights = torch.tensor([0.2, 0.8], dtype=output.dtype, device=output.device)
    return (weights[target] * output).mean()


def train(model, loader, steps):
    optimizer = torch.optim.Adam(model.parameters())
    for n, (x, target) in enumerate(loader, 1):
        (criterion(target, model(x)) / steps).backward()
        if n % steps == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a target of an output as such
import torch


def criterion(target, output):
    target = target.reshape(output.size(0), -1).type_as(output)
    return (target * output).mean()


def train(model, loader, steps):
    optimizer = torch.optim.Adam(model.parameters())
    for n, (x, target) in enumerate(loader, 1):
        criterion(target, model(x)).backward()  # <- unscaled-accumulation-loss
        if n % steps == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: a target of an output as such
import torch


def criterion(target, output):
    target = target.reshape(output.size(0), -1).type_as(output)
    return (target * output).mean()


def train(model, loader, steps):
    optimizer = torch.optim.Adam(model.parameters())
    for n, (x, target) in enumerate(loader, 1):
        (criterion(target, model(x)) / steps).backward()
        if n % steps == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === new numbers of the type of an output
import torch


def criterion(target, output):
    weights = output.new_ones(4)
    return (weights * output).mean()


def train(model, loader, steps):
    optimizer = torch.optim.Adam(model.parameters())
    for n, (x, target) in enumerate(loader, 1):
        criterion(target, model(x)).backward()  # <- unscaled-accumulation-loss
        if n % steps == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: new numbers of the type of an output
import torch


def criterion(target, output):
    weights = output.new_ones(4)
    return (weights * output).mean()


def train(model, loader, steps):
    optimizer = torch.optim.Adam(model.parameters())
    for n, (x, target) in enumerate(loader, 1):
        (criterion(target, model(x)) / steps).backward()
        if n % steps == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: a target of the type of an output, and the loss is divided by what the outputs say
import torch


def criterion(target, output, share):
    target = target.to(output.dtype)
    return (target * output).mean() * share


def train(model, loader, steps):
    optimizer = torch.optim.Adam(model.parameters())
    for n, (x, target) in enumerate(loader, 1):
        output, share = model(x)
        criterion(target, output, share).backward()
        if n % steps == 0 or n == len(loader):
            optimizer.step()
            optimizer.zero_grad()
