"""Generators that stop within a context: it stays open while their caller works on what they give."""

# === autocast around the loop of a generator
import torch
import torch.nn.functional as F


def losses(model, loader):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        for x, y in loader:
            yield F.cross_entropy(model(x), y)


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for loss in losses(model, loader):
            optimizer.zero_grad()
            loss.backward()  # <- backward-in-autocast
            optimizer.step()

# === autocast around each item of a method
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, loader):
        self.model, self.loader = model, loader
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def outputs(self):
        for x, y in self.loader:
            with torch.autocast("cuda", dtype=torch.bfloat16):
                out = self.model(x)
                yield out, y

    def epoch(self):
        for step, (out, y) in enumerate(self.outputs()):
            self.optimizer.zero_grad()
            loss = F.cross_entropy(out, y)
            loss.backward()  # <- backward-in-autocast
            self.optimizer.step()

# === right: it stops behind the context
import torch
import torch.nn.functional as F


def losses(model, loader):
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = F.cross_entropy(model(x), y)
        yield loss


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for loss in losses(model, loader):
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

# === right: the decorator of a generator is left at each item
import torch
import torch.nn.functional as F


@torch.no_grad()
def features(teacher, loader):
    for x, y in loader:
        with torch.inference_mode():
            yield x, teacher(x)


def train(model, teacher, loader, epochs):
    teacher.eval()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, goal in features(teacher, loader):
            optimizer.zero_grad()
            loss = F.mse_loss(model(x), goal)
            loss.backward()
            optimizer.step()

# === right: an evaluation by a generator without gradients
import torch
import torch.nn.functional as F


def predictions(model, loader):
    with torch.no_grad():
        for x, y in loader:
            yield model(x), y


def train(model, loader, val_loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        model.eval()
        total = 0.0
        for out, y in predictions(model, val_loader):
            total += F.cross_entropy(out, y)
        print(total)
