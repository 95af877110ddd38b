# === a hook on features divides what goes back through them
import torch


def train(trunk, head, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        features = trunk(x)
        features.register_hook(lambda grad: grad / accum)
        loss = torch.nn.functional.mse_loss(head(features), y)
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a function as a hook on features
import torch


def train(trunk, head, loader, optimizer, accum):
    def slower(grad):
        return grad / accum

    for i, (x, y) in enumerate(loader):
        features = trunk(x)
        features.register_hook(slower)
        loss = torch.nn.functional.mse_loss(head(features), y)
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a hook of the network divides what it hands back
import torch


def train(model, loader, optimizer, accum):
    model.register_full_backward_hook(lambda module, inner, outer: (inner[0] / accum,))
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a hook of the criterion divides what it hands back
import torch


def train(model, loader, optimizer, accum):
    criterion = torch.nn.MSELoss()
    criterion.register_full_backward_pre_hook(lambda module, outer: (outer[0] / accum,))
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a function of its own divides the gradient of the loss
import torch


class Divide(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, by):
        ctx.by = by
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad / ctx.by, None


def train(model, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y)
        Divide.apply(loss, accum).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a function of its own divides what goes back to the network
import torch


class Divide(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, by):
        ctx.by = by
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad / ctx.by, None


def train(model, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(Divide.apply(model(x), accum), y)
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a hook behind the accumulation divides
import torch


def train(model, loader, optimizer, accum):
    def divide(parameter):
        parameter.grad.div_(accum)

    for p in model.parameters():
        p.register_post_accumulate_grad_hook(divide)
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a hook of the graph divides
import torch


def train(model, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        out = model(x)
        out.grad_fn.register_prehook(lambda grads: tuple(g / accum for g in grads))
        loss = torch.nn.functional.mse_loss(out, y)
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === hooks that only look
import torch


def look(grad):
    print(grad.norm())


def train(model, loader, optimizer, accum):
    model.register_full_backward_hook(lambda module, inner, outer: print(inner[0].norm()))
    for i, (x, y) in enumerate(loader):
        out = model(x)
        out.register_hook(look)
        loss = torch.nn.functional.mse_loss(out, y)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a function of its own hands the gradient on as it is
import torch


class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad):
        return grad


def train(model, loader, optimizer, accum):
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(Round.apply(model(x)), y)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a hook behind the accumulation only counts
import torch


def train(model, loader, optimizer, accum):
    seen = []

    def count(parameter):
        seen.append(parameter.shape)

    for p in model.parameters():
        p.register_post_accumulate_grad_hook(count)
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a network divides what goes back through it, by a hook of its own
import torch


class Net(torch.nn.Module):
    def __init__(self, accum):
        super().__init__()
        self.body = torch.nn.Linear(3, 3)
        self.accum = accum

    def forward(self, x):
        h = self.body(x)
        if h.requires_grad:
            h.register_hook(lambda grad: grad / self.accum)
        return h


def train(loader, accum):
    model = Net(accum)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a network keeps what goes back, for a picture
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Linear(3, 3)
        self.seen = None

    def keep(self, grad):
        self.seen = grad

    def forward(self, x):
        h = self.body(x)
        if h.requires_grad:
            h.register_hook(self.keep)
        return h


def train(loader, accum):
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === what a runner calls a hook is something else
import torch


class Runner:
    def __init__(self, model, loader, accum):
        self.model, self.loader, self.accum = model, loader, accum
        self.listeners = []
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def register_hook(self, listener):
        self.listeners.append(listener)

    def run(self, pace):
        self.register_hook(lambda runner: runner.seen / pace)
        for i, (x, y) in enumerate(self.loader):
            torch.nn.functional.mse_loss(self.model(x), y).backward()  # <- unscaled-accumulation-loss
            if (i + 1) % self.accum == 0 or i + 1 == len(self.loader):
                self.optimizer.step()
                self.optimizer.zero_grad()
# === nor is that of a runner from elsewhere
import torch
from somewhere import Stopping


def train(model, loader, runner, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    runner.register_hook(Stopping())
    for i, (x, y) in enumerate(loader):
        torch.nn.functional.mse_loss(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
