# === a task that is called grad, and an evaluation that keeps graphs
import torch
from torch.nn import functional as F


def train(opt, model, loader, valid):
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(opt.epochs):
        model.train()
        for x, y in loader:
            loss = F.nll_loss(model(x), y) if opt.task == "grad" else F.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        test(opt, model, valid)


def test(opt, model, loader):
    model.eval()
    right = 0
    for x, y in loader:
        pred = model(x)  # <- validation-without-no-grad
        if "grad" in opt.task:
            right += pred.argmax(dim=1).eq(y).sum().item()
    return right

# === an evaluation that asks for the gradient of what it is given
import torch
from torch.nn import functional as F


def train(opt, model, loader, valid):
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(opt.epochs):
        model.train()
        for x, y in loader:
            loss = F.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        test(opt, model, valid)


def test(opt, model, loader):
    model.eval()
    slopes = 0
    for x, y in loader:
        pred = model(watched(x))
        if opt.task == "grad":
            slopes += getattr(pred, "grad")
    return slopes
