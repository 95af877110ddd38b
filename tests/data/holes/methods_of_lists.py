# === a list's method under a name of its own
import torch
from torch import nn


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    push = losses.append
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            push(loss)  # <- loss-graph-leak
            optimizer.step()
        print(epoch, float(sum(losses)) / len(losses))
# === right: a list's method under a name of its own is given numbers
import torch
from torch import nn


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    push = losses.append
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            push(loss.item())
            optimizer.step()
        print(epoch, sum(losses) / len(losses))
# === right: a list's method under a name of its own, of a list of each epoch's
import torch
from torch import nn


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        losses = []
        push = losses.append
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            push(loss.detach())
            optimizer.step()
        print(epoch, float(sum(losses)) / len(losses))
# === a list's method is handed over
import torch
from torch import nn


def epoch_of(model, loader, optimizer, on_loss):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        on_loss(loss)  # <- loss-graph-leak
        optimizer.step()


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    history = []
    for epoch in range(epochs):
        epoch_of(model, loader, optimizer, history.append)
        print(epoch, float(sum(history)) / len(history))
# === right: a list's method is handed over, and given what is detached
import torch
from torch import nn


def epoch_of(model, loader, optimizer, on_loss):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        on_loss(loss.detach())
        optimizer.step()


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    history = []
    for epoch in range(epochs):
        epoch_of(model, loader, optimizer, history.append)
        print(epoch, float(sum(history)) / len(history))
