"""Layers that are handed to functions in turn, where each is called the same: they are several."""
# === right: a network and a layer have one function for their optimizers, and both are cleared
import torch
from torch import nn


def optimizer_of(net):
    return torch.optim.SGD(net.parameters(), lr=0.05)


def tidy(net):
    for weight in net.parameters():
        weight.grad = None


def learn(loss, net, opt):
    loss.backward()
    opt.step()
    tidy(net)


def play(rounds, games):
    net, drift = nn.Linear(3, 1), nn.Linear(8, 1)
    drift_opt = optimizer_of(drift)
    opt = optimizer_of(net)
    for turn in range(rounds):
        for board, seconds in games:
            learn(nn.functional.mse_loss(net(board), seconds), net, opt)
            learn(nn.functional.mse_loss(net(board).detach() + drift(board), seconds), drift, drift_opt)
# === only one of them is cleared
import torch
from torch import nn


def optimizer_of(net):
    return torch.optim.SGD(net.parameters(), lr=0.05)


def tidy(net):
    for weight in net.parameters():
        weight.grad = None


def learn(loss, net, opt):
    loss.backward()
    opt.step()
    tidy(net)


def correct(loss, net, opt):
    loss.backward()
    opt.step()  # <- missing-zero-grad


def play(rounds, games):
    net, drift = nn.Linear(3, 1), nn.Linear(8, 1)
    drift_opt = optimizer_of(drift)
    opt = optimizer_of(net)
    for turn in range(rounds):
        for board, seconds in games:
            learn(nn.functional.mse_loss(net(board), seconds), net, opt)
            correct(nn.functional.mse_loss(net(board).detach() + drift(board), seconds), drift, drift_opt)
# === right: one layer is handed on by several functions, each of which calls it otherwise
import torch
from torch import nn


def optimizer_of(net):
    return torch.optim.SGD(net.parameters(), lr=0.05)


def fit(model, opt, data):
    for x, y in data:
        opt.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()


def main(data, device):
    layer = nn.Linear(3, 1)
    opt = optimizer_of(layer)
    layer.to(device)
    for epoch in range(3):
        fit(layer, opt, data)
