# === right: a state's gradient, which the scaled loss has left, goes on through what made the state
import torch
import torch.nn.functional as F


def train(model, loader, turns):
    optimizer = torch.optim.Adam(model.parameters())
    scaler = torch.cuda.amp.GradScaler()
    states = [(None, torch.zeros(8, 16))]
    for x, y in loader:
        before = states[-1][1].detach()
        before.requires_grad = True
        out, after = model(x, before)
        states.append((before, after))
        optimizer.zero_grad()
        scaler.scale(F.mse_loss(out, y)).backward(retain_graph=True)
        for turn in range(turns - 1):
            if states[-turn - 2][0] is None:
                break
            carried = states[-turn - 1][0].grad
            states[-turn - 2][1].backward(carried, retain_graph=True)
        scaler.step(optimizer)
        scaler.update()
# === the same, but nothing scales the loss that the gradients begin with
import torch
import torch.nn.functional as F


def train(model, loader, turns):
    optimizer = torch.optim.Adam(model.parameters())
    scaler = torch.cuda.amp.GradScaler()
    for x, y in loader:
        early = model.encode(x)
        cut = early.detach().requires_grad_()
        optimizer.zero_grad()
        F.mse_loss(model.decode(cut), y).backward()  # <- unscaled-backward
        early.backward(gradient=cut.grad)  # <- unscaled-backward
        scaler.step(optimizer)
        scaler.update()
# === a gradient of plain numbers has no scale
import torch
import torch.nn.functional as F


def train(model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    scaler = torch.cuda.amp.GradScaler()
    for x, y in loader:
        features = model.encode(x)
        optimizer.zero_grad()
        scaler.scale(F.mse_loss(model.decode(features), y)).backward(retain_graph=True)
        features.backward(torch.ones_like(features))  # <- unscaled-backward
        scaler.step(optimizer)
        scaler.update()
# === the gradient has been unscaled by hand, and the step divides once more
import torch
import torch.nn.functional as F


def train(model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    scaler = torch.cuda.amp.GradScaler()
    for x, y in loader:
        early = model.encode(x)
        cut = early.detach().requires_grad_()
        optimizer.zero_grad()
        scaler.scale(F.mse_loss(model.decode(cut), y)).backward()
        early.backward(cut.grad / scaler.get_scale())  # <- unscaled-backward
        scaler.step(optimizer)
        scaler.update()
# === right: what a scaled loss gives by autograd.grad
import torch
import torch.nn.functional as F


def train(model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    scaler = torch.cuda.amp.GradScaler()
    for x, y in loader:
        early = model.encode(x)
        cut = early.detach().requires_grad_()
        optimizer.zero_grad()
        (carried,) = torch.autograd.grad(scaler.scale(F.mse_loss(model.decode(cut), y)), cut)
        torch.autograd.backward([early], grad_tensors=[carried])
        scaler.step(optimizer)
        scaler.update()
# === right: gradients are kept, and what is multiplied by them goes back
import torch
import torch.nn.functional as F


def train(model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    scaler = torch.cuda.amp.GradScaler()
    for x, y in loader:
        early = model(x)
        cut = early.detach().requires_grad_()
        optimizer.zero_grad()
        scaler.scale(F.cross_entropy(cut, y)).backward()
        kept = cut.grad.detach()
        surrogate = (early * kept).sum()
        surrogate.backward()
        scaler.step(optimizer)
        scaler.update()
# === an input that a gradient has moved, and a loss of its own that nothing scales
import torch
import torch.nn.functional as F


def train(model, loader, far):
    optimizer = torch.optim.Adam(model.parameters())
    scaler = torch.cuda.amp.GradScaler()
    for x, y in loader:
        x.requires_grad_()
        optimizer.zero_grad()
        scaler.scale(F.cross_entropy(model(x), y)).backward()
        moved = (x + far * x.grad.sign()).detach()
        F.cross_entropy(model(moved), y).backward()  # <- unscaled-backward
        scaler.step(optimizer)
        scaler.update()
# === right: an input that a gradient has moved, and the scaled loss of it
import torch
import torch.nn.functional as F


def train(model, loader, perturb):
    optimizer = torch.optim.Adam(model.parameters())
    scaler = torch.cuda.amp.GradScaler()
    for x, y in loader:
        x.requires_grad_()
        optimizer.zero_grad()
        scaler.scale(F.cross_entropy(model(x), y)).backward()
        moved = perturb(x, x.grad)
        scaler.scale(F.cross_entropy(model(moved), y)).backward()
        scaler.step(optimizer)
        scaler.update()
# === right: a gradient that another rank has sent may be scaled there
import torch
import torch.distributed as dist
import torch.nn.functional as F


def train(model, loader, stage):
    optimizer = torch.optim.Adam(model.parameters())
    scaler = torch.cuda.amp.GradScaler()
    for x, y in loader:
        features = model(x)
        optimizer.zero_grad()
        carried = stage.receive(features.shape)
        features.backward(carried)
        scaler.step(optimizer)
        scaler.update()
