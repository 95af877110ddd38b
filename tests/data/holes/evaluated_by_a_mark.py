# === an evaluation whenever so many steps have gone since the last, and nobody goes back to training
import torch
import torch.nn.functional as F


class Runner:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.count = 0
        self.mark = 0
        self.every = 250

    def score(self, held_out):
        self.model.eval()
        with torch.no_grad():
            return sum(float(F.cross_entropy(self.model(x), y)) for x, y in held_out)

    def epoch(self, loader, held_out):
        self.model.train()
        for x, y in loader:
            self.optimizer.zero_grad()
            F.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()
            if self.count >= self.mark + self.every:
                self.mark = self.count
                print(self.score(held_out))  # <- missing-train-mode
            self.count += 1
# === a mark that is taken from the count
import torch
import torch.nn.functional as F


def train(model, loader, held_out, optimizer):
    count, mark = 0, 0
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        count += 1
        if count - mark >= 100:
            mark = count
            model.eval()  # <- missing-train-mode
            with torch.no_grad():
                print(sum(float(F.cross_entropy(model(a), b)) for a, b in held_out))
# === a count that begins anew with each evaluation
import torch
import torch.nn.functional as F


def train(model, loader, held_out, optimizer):
    since = 0
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        since += 1
        if held_out is not None and since >= 100:
            since = 0
            model.eval()  # <- missing-train-mode
            with torch.no_grad():
                print(sum(float(F.cross_entropy(model(a), b)) for a, b in held_out))
# === right: back to training behind the evaluation
import torch
import torch.nn.functional as F


def train(model, loader, held_out, optimizer):
    count, mark = 0, 0
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        count += 1
        if count >= mark + 100:
            mark = count
            model.eval()
            with torch.no_grad():
                print(sum(float(F.cross_entropy(model(a), b)) for a, b in held_out))
            model.train()
# === right: each batch begins in training mode
import torch
import torch.nn.functional as F


def train(model, loader, held_out, optimizer):
    since = 0
    for x, y in loader:
        model.train()
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        since += 1
        if since > 100:
            model.eval()
            with torch.no_grad():
                print(sum(float(F.cross_entropy(model(a), b)) for a, b in held_out))
            since = 0
# === right: the last evaluation, behind which nothing is trained
import torch
import torch.nn.functional as F


def train(model, loader, held_out, optimizer):
    count = 0
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        count += 1
        if count >= 5000:
            model.eval()
            with torch.no_grad():
                print(sum(float(F.cross_entropy(model(a), b)) for a, b in held_out))
            return
# === a probe with an optimizer of its own is fitted now and then
import torch
import torch.nn.functional as F
from torch import nn


def embed(encoder, loader):
    encoder.eval()
    with torch.no_grad():
        return torch.cat([encoder(x) for x, _ in loader])


def probe(features, labels):
    head = nn.Linear(64, 10)
    fitted = torch.optim.Adam(head.parameters())
    for _ in range(500):
        fitted.zero_grad()
        F.cross_entropy(head(features), labels).backward()
        fitted.step()
    return (head(features).argmax(1) == labels).float().mean()


def train(encoder, loss_of, loader, labels, optimizer, epochs):
    encoder.train()
    for epoch in range(1, epochs + 1):
        for x, _ in loader:
            optimizer.zero_grad()
            loss_of(encoder(x)).mean().backward()
            optimizer.step()
        if epoch % 10 == 0:
            print(probe(embed(encoder, loader), labels))  # <- missing-train-mode
# === right: the probe comes now and then, and each epoch begins in training mode
import torch
import torch.nn.functional as F
from torch import nn


def embed(encoder, loader):
    encoder.eval()
    with torch.no_grad():
        return torch.cat([encoder(x) for x, _ in loader])


def probe(features, labels):
    head = nn.Linear(64, 10)
    fitted = torch.optim.Adam(head.parameters())
    for _ in range(500):
        fitted.zero_grad()
        F.cross_entropy(head(features), labels).backward()
        fitted.step()
    return (head(features).argmax(1) == labels).float().mean()


def train(encoder, loss_of, loader, labels, optimizer, epochs):
    for epoch in range(1, epochs + 1):
        encoder.train()
        for x, _ in loader:
            optimizer.zero_grad()
            loss_of(encoder(x)).mean().backward()
            optimizer.step()
        if epoch % 10 == 0:
            print(probe(embed(encoder, loader), labels))
