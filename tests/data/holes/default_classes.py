# === a function with torch's optimizer as default never clears, and another one does
import torch
from torch.nn import functional as F


def fit(net, loader, rate, opt_func=torch.optim.SGD):
    optimizer = opt_func(net.parameters(), rate)
    for x, y in loader:
        F.cross_entropy(net(x), y).backward()
        optimizer.step()  # <- missing-zero-grad


def fit_one_cycle(net, loader, rate, opt_func=torch.optim.Adam):
    optimizer = opt_func(net.parameters(), rate)
    for x, y in loader:
        F.cross_entropy(net(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()


# === a critic by such a default is filled by the maker's loss behind its clear
import torch


def train(maker, critic, loader, opt_func=torch.optim.Adam):
    opt_c = opt_func(critic.parameters(), lr=1e-4)
    opt_m = opt_func(maker.parameters(), lr=1e-4)
    for real, noise in loader:
        loss = critic(maker(noise).detach()).mean() - critic(real).mean()
        loss.backward()
        opt_c.step()  # <- missing-zero-grad
        opt_c.zero_grad()
        opt_m.zero_grad()
        loss = -critic(maker(noise)).mean()
        loss.backward()
        opt_m.step()


# === right: cleared in front of its own loss
import torch


def train(maker, critic, loader, opt_func=torch.optim.Adam):
    opt_c = opt_func(critic.parameters(), lr=1e-4)
    opt_m = opt_func(maker.parameters(), lr=1e-4)
    for real, noise in loader:
        opt_c.zero_grad()
        loss = critic(maker(noise).detach()).mean() - critic(real).mean()
        loss.backward()
        opt_c.step()
        opt_m.zero_grad()
        loss = -critic(maker(noise)).mean()
        loss.backward()
        opt_m.step()


# === right: what nobody names may clear by itself, and so may what another package makes
from torch.nn import functional as F

from mine import Optimizer


def fit(net, loader, rate, make, opt_func=Optimizer):
    first = make(net.head.parameters(), rate)
    second = opt_func(net.body.parameters(), rate)
    for x, y in loader:
        F.cross_entropy(net(x), y).backward()
        first.step()
        second.step()


def fit_one_cycle(net, loader, optimizer):
    for x, y in loader:
        F.cross_entropy(net(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()


# === a default that is called like what it makes
from torch import optim
from torch.nn import functional as F


def fit(net, loader, rate, optimizer=optim.SGD):
    opt = optimizer(net.parameters(), rate)
    for x, y in loader:
        F.cross_entropy(net(x), y).backward()
        opt.step()  # <- missing-zero-grad


def fit_one_cycle(net, loader, rate, optimizer=optim.Adam):
    opt = optimizer(net.parameters(), rate)
    for x, y in loader:
        F.cross_entropy(net(x), y).backward()
        opt.step()
        opt.zero_grad()
