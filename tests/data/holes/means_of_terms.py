# === the mean of two losses, and nothing for the window
import torch
import torch.nn.functional as F


def train(net, optimizer, loader, window=4):
    for i, (image, text, y) in enumerate(loader):
        loss = (F.cross_entropy(net(image), y) + F.cross_entropy(net(text), y)) / 2
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % window == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === the mean of three losses, in place
import torch.nn.functional as F


def train(net, optimizer, loader, window):
    for i, (a, b, c, y) in enumerate(loader):
        loss = F.cross_entropy(net(a), y) + F.cross_entropy(net(b), y) + F.cross_entropy(net(c), y)
        loss = loss / 3
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % window == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: the mean of two losses, and the window
import torch.nn.functional as F


def train(net, optimizer, loader, window=4):
    for i, (image, text, y) in enumerate(loader):
        loss = (F.cross_entropy(net(image), y) + F.cross_entropy(net(text), y)) / 2
        (loss / window).backward()
        if (i + 1) % window == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: two losses in a window of two, divided by two
import torch.nn.functional as F


def train(net, optimizer, loader):
    for i, (image, text, y) in enumerate(loader):
        loss = (F.cross_entropy(net(image), y) + F.cross_entropy(net(text), y)) / 2
        loss.backward()
        if (i + 1) % 2 == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: the mean of two losses, one update for each batch
import torch.nn.functional as F


def train(net, optimizer, loader):
    for image, text, y in loader:
        optimizer.zero_grad()
        loss = (F.cross_entropy(net(image), y) + F.cross_entropy(net(text), y)) / 2
        loss.backward()
        optimizer.step()
