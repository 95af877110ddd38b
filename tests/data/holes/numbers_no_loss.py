# === one of two ways holds: without either there is no loss to go back from
import torch
from torch import nn


def train(body, critic, loader, way):
    main = torch.optim.Adam([*body.parameters(), *critic.parameters()])
    other = torch.optim.Adam(critic.parameters())
    for x, y in loader:
        main.zero_grad()
        loss = nn.functional.mse_loss(critic(body(x)), y)
        loss.backward()
        main.step()
        bound = 0.0
        if way == "first":
            main.zero_grad()
            bound += critic(body(x)).mean()
        elif way == "second":
            main.zero_grad()
            bound += critic(body(x)).pow(2).mean()
        other.zero_grad()
        bound.backward()
        other.step()
# === either way the gradients are cleared behind the backward
import torch
from torch import nn


def train(body, critic, loader, way):
    main = torch.optim.Adam(body.parameters())
    other = torch.optim.Adam(critic.parameters())
    for x, y in loader:
        main.zero_grad()
        loss = nn.functional.mse_loss(body(x), y)
        loss.backward()
        main.step()
        bound = 0.0
        if way == "first":
            main.zero_grad()
            bound += critic(x).mean()
        elif way == "second":
            main.zero_grad()
            bound += critic(x).pow(2).mean()
        bound.backward()
        other.zero_grad()  # <- zero-grad-before-step
        other.step()
# === only without either way the gradients are cleared behind the backward
import torch
from torch import nn


def train(body, critic, loader, way):
    main = torch.optim.Adam(body.parameters())
    other = torch.optim.Adam(critic.parameters())
    for x, y in loader:
        main.zero_grad()
        loss = nn.functional.mse_loss(body(x), y)
        loss.backward()
        main.step()
        bound = critic(x).mean()
        other.zero_grad()
        if way == "first":
            main.zero_grad()
            bound += critic(x).pow(2).mean()
        bound.backward()
        if way != "first":
            other.zero_grad()  # <- zero-grad-before-step
        other.step()
