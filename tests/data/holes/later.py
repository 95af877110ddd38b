# === an evaluation of every 500 steps, by a constant of a class
import torch
import torch.nn.functional as F


class Config:
    eval_step = 500


def predict(model, loader):
    model.eval()
    with torch.no_grad():
        return [model(x) for x, _ in loader]


def train(model, loader, val_loader, optimizer):
    for epoch in range(3):
        model.train()
        for i, (x, y) in enumerate(loader):
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
            if (i + 1) % Config.eval_step == 0:
                print(predict(model, val_loader))  # <- missing-train-mode
# === a model's own generate puts it into eval mode
import torch
import torch.nn.functional as F
from torch import nn


class LM(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.head = nn.Sequential(nn.Dropout(0.1), nn.Linear(width, width))

    def forward(self, ids):
        return self.head(ids)

    @torch.no_grad()
    def generate(self, ids, length):
        self.eval()
        for _ in range(length):
            ids = torch.cat([ids, self(ids)], dim=1)
        return ids


class Session:
    def __init__(self, model: LM):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.step = 0

    def preview(self, prompt):
        return self.model.generate(prompt, 40)

    def train(self, loader, prompt):
        self.model.train()
        for x, y in loader:
            self.optimizer.zero_grad()
            F.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()
            self.step += 1
            if self.step % 250 == 0:
                print(self.preview(prompt))  # <- missing-train-mode
# === a probe clears the window's gradients now and then
import torch.nn.functional as F


def saliency(model, images, labels):
    images = images.clone().requires_grad_(True)
    model(images).gather(1, labels).sum().backward()
    heat = images.grad.abs()
    model.zero_grad()  # <- zero-grad-in-accumulation
    return heat


def train(model, loader, optimizer, writer, accum):
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / accum).backward()
        if i % 200 == 0:
            writer.add_images("saliency", saliency(model, x, y), i)
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: a rare evaluation that puts the mode back
import torch
import torch.nn.functional as F


class Config:
    eval_step = 500


def predict(model, loader):
    model.eval()
    with torch.no_grad():
        found = [model(x) for x, _ in loader]
    model.train()
    return found


def train(model, loader, val_loader, optimizer):
    for epoch in range(3):
        model.train()
        for i, (x, y) in enumerate(loader):
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
            if (i + 1) % Config.eval_step == 0:
                print(predict(model, val_loader))
# === right: a model's own generate goes back to training
import torch
import torch.nn.functional as F
from torch import nn


class LM(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.head = nn.Linear(width, width)

    def forward(self, ids):
        return self.head(ids)

    @torch.no_grad()
    def generate(self, ids, length):
        self.eval()
        for _ in range(length):
            ids = torch.cat([ids, self(ids)], dim=1)
        self.train()
        return ids


class Session:
    def __init__(self, model: LM):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.step = 0

    def preview(self, prompt):
        return self.model.generate(prompt, 40)

    def train(self, loader, prompt):
        self.model.train()
        for x, y in loader:
            self.optimizer.zero_grad()
            F.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()
            self.step += 1
            if self.step % 250 == 0:
                print(self.preview(prompt))
# === right: a probe behind the step of its window
import torch.nn.functional as F


def saliency(model, images, labels):
    images = images.clone().requires_grad_(True)
    model(images).gather(1, labels).sum().backward()
    heat = images.grad.abs()
    model.zero_grad()
    return heat


def train(model, loader, optimizer, writer, accum):
    update = 0
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / accum).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
            update += 1
            if update % 200 == 0:
                writer.add_images("saliency", saliency(model, x, y), i)
# === right: a probe by torch.autograd.grad
import torch
import torch.nn.functional as F


def saliency(model, images, labels):
    images = images.clone().requires_grad_(True)
    (found,) = torch.autograd.grad(model(images).gather(1, labels).sum(), images)
    return found.abs()


def train(model, loader, optimizer, writer, accum):
    for i, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / accum).backward()
        if i % 200 == 0:
            writer.add_images("saliency", saliency(model, x, y), i)
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: lazy regularisation has a step of its own
import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    for i, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        if i % 16 == 0:
            optimizer.zero_grad()
            x.requires_grad_(True)
            (found,) = torch.autograd.grad(model(x).sum(), x, create_graph=True)
            found.square().mean().backward()
            optimizer.step()
