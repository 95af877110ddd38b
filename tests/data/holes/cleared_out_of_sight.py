# === right: two networks cleared by hand, and nobody sees what the optimizer holds
import torch
from parts import build, load_optimizer, make_generator


def train(config, loader):
    left = build(config).cuda()
    right = build(config).cuda()
    optimizer = load_optimizer(config, first=left, second=right)
    attack_generator = make_generator(left)
    for x, y in loader:
        a = left(x)
        b = right(attack_generator.perturb(x, y))
        for net in (left, right):
            for p in net.parameters():
                p.grad = None
        loss = torch.nn.functional.cross_entropy(a, y) + torch.nn.functional.cross_entropy(b, y)
        loss.backward()
        optimizer.step()
# === right: a teacher beside two networks cleared by hand, and nobody sees what the optimizer holds
import torch
from parts import build, load_optimizer, soften


def train(config, loader, criterion):
    left, right, teacher = build(config), build(config), build(config)
    optimizer = load_optimizer(config, first=left, second=right)
    for x, y in loader:
        for p in left.parameters():
            p.grad = None
        for p in right.parameters():
            p.grad = None
        hint = teacher(soften(x))
        loss = criterion(left(x), y) + criterion(right(x), hint)
        loss.backward()
        optimizer.step()
# === right: one network cleared by hand, and what disturbs its input
import torch
from parts import build, load_optimizer, make_generator


def train(config, loader, criterion):
    net = build(config)
    optimizer = load_optimizer(config, net)
    noise_generator = make_generator(config)
    for x, y in loader:
        net.zero_grad()
        loss = criterion(net(noise_generator.perturb(x, y)), y)
        loss.backward()
        optimizer.step()
# === two networks in one optimizer, and one of them is cleared
import torch
from torch import nn


def train(loader):
    left = nn.Linear(3, 2)
    right = nn.Linear(3, 2)
    optimizer = torch.optim.SGD([*left.parameters(), *right.parameters()], lr=0.1)
    for x, y in loader:
        for p in left.parameters():
            p.grad = None
        loss = nn.functional.cross_entropy(left(x) + right(x), y)
        loss.backward()
        optimizer.step()  # <- missing-zero-grad
# === right: the loss of a file that an option picks may clear
import torch


def main(args, loader):
    recipe = __import__(args.recipe)
    model = recipe.Network()
    optimizer = torch.optim.Adam(model.parameters())
    for x in loader:
        loss, norm = recipe.compute_loss(model, x)
        loss.backward()
        optimizer.step()
# === the file that an option picks gets what the network has computed
import torch


def main(args, loader):
    recipe = __import__(args.recipe)
    model = torch.nn.Linear(3, 2)
    optimizer = torch.optim.Adam(model.parameters())
    for x in loader:
        loss = recipe.compute_loss(model(x), x)
        loss.backward()
        optimizer.step()  # <- missing-zero-grad
# === nobody sees what the optimizer holds, and one of two networks that run is cleared
import torch
from parts import build, load_optimizer


def train(config, loader, criterion):
    encoder = build(config)
    decoder = build(config)
    optimizer = load_optimizer(config, encoder, decoder)
    for x, y in loader:
        encoder.zero_grad()
        loss = criterion(decoder(encoder(x)), y)
        loss.backward()
        optimizer.step()  # <- missing-zero-grad
