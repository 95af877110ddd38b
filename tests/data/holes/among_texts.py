# === right: the model that is evaluated is no part of what is fitted, for the setting has one value
import torch
import torch.nn.functional as F


class Sampler(torch.nn.Module):
    def __init__(self, model, scale):
        super().__init__()
        self.model = model
        self.scale = scale

    def draw(self, y):
        return self.scale * torch.randn_like(y)


def invert(model, fields, guess, kind):
    def run(x):
        return model(x)

    model.eval()
    if kind in ["sampled"]:
        sampler = Sampler(model, 0.1)
    else:
        optimizer = torch.optim.Adam(guess.parameters())
    for x, y in fields:
        if kind in ["sampled"]:
            start = sampler.draw(y)
            found = model(start)
        if kind in ["fitted"]:
            for _ in range(50):
                found = run(guess())
                loss = F.mse_loss(found, y)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        print(F.mse_loss(found, y).item())
# === right: the same, and one of them is asked for by equality
import torch
import torch.nn.functional as F


class Sampler(torch.nn.Module):
    def __init__(self, model, scale):
        super().__init__()
        self.model = model
        self.scale = scale

    def draw(self, y):
        return self.scale * torch.randn_like(y)


def invert(model, fields, guess, kind):
    def run(x):
        return model(x)

    model.eval()
    if kind == "sampled":
        sampler = Sampler(model, 0.1)
    else:
        optimizer = torch.optim.Adam(guess.parameters())
    for x, y in fields:
        if kind == "sampled":
            start = sampler.draw(y)
            found = model(start)
        if kind in ("fitted", "descent"):
            for _ in range(50):
                found = run(guess())
                loss = F.mse_loss(found, y)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        print(F.mse_loss(found, y).item())
# === a setting that may be in both lists
import torch
import torch.nn.functional as F


class Sampler(torch.nn.Module):
    def __init__(self, model, scale):
        super().__init__()
        self.model = model
        self.scale = scale

    def draw(self, y):
        return self.scale * torch.randn_like(y)


def invert(model, fields, guess, kind):
    def run(x):
        return model(x)

    model.eval()
    if kind in ["sampled", "both"]:
        sampler = Sampler(model, 0.1)
    else:
        optimizer = torch.optim.Adam(guess.parameters())
    for x, y in fields:
        if kind in ["sampled", "both"]:
            start = sampler.draw(y)
            found = model(start)  # <- validation-without-no-grad
        if kind in ["fitted", "both"]:
            for _ in range(50):
                found = run(guess())
                loss = F.mse_loss(found, y)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        print(F.mse_loss(found, y).item())
# === two settings
import torch
import torch.nn.functional as F


class Sampler(torch.nn.Module):
    def __init__(self, model, scale):
        super().__init__()
        self.model = model
        self.scale = scale

    def draw(self, y):
        return self.scale * torch.randn_like(y)


def invert(model, fields, guess, kind, other):
    def run(x):
        return model(x)

    model.eval()
    if kind in ["sampled"]:
        sampler = Sampler(model, 0.1)
    else:
        optimizer = torch.optim.Adam(guess.parameters())
    for x, y in fields:
        if kind in ["sampled"]:
            start = sampler.draw(y)
            found = model(start)  # <- validation-without-no-grad
        if other in ["fitted"]:
            for _ in range(50):
                found = run(guess())
                loss = F.mse_loss(found, y)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        print(F.mse_loss(found, y).item())
