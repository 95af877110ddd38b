# === a mask that is trained through a network in evaluation mode, between two epochs of that network
import torch
from torch import nn


def explain(model, image, steps):
    model.eval()
    mask = nn.Parameter(torch.ones(7, 7))
    optimizer = torch.optim.Adam([mask], lr=0.1)
    for step in range(steps):
        optimizer.zero_grad()
        loss = model(image * mask).mean() + mask.abs().mean()
        loss.backward()
        optimizer.step()
    return mask.detach()


def train(model, loader, image, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        explain(model, image, 100)
# === the same, and the network stays in evaluation mode for its own training
import torch
from torch import nn


def explain(model, image, steps):
    model.eval()
    mask = nn.Parameter(torch.ones(7, 7))
    optimizer = torch.optim.Adam([mask], lr=0.1)
    for step in range(steps):
        optimizer.zero_grad()
        loss = model(image * mask).mean() + mask.abs().mean()
        loss.backward()
        optimizer.step()
    return mask.detach()


def train(model, loader, image, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        explain(model, image, 100)  # <- missing-train-mode
