# === a mean times the number of answers sums these
import torch.nn.functional as F


def fit(net, optimizer, loader, accum):
    for i, (x, targets) in enumerate(loader):
        loss = F.binary_cross_entropy_with_logits(net(x), targets, reduction="none").mean()
        loss = loss * targets.size(1)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


# === in place, and by the shape
import torch.nn.functional as F


def fit(net, optimizer, loader, accum):
    for i, (x, targets) in enumerate(loader):
        loss = F.binary_cross_entropy_with_logits(net(x), targets)
        loss *= targets.shape[1]
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


# === right: it is divided by the window
import torch.nn.functional as F


def fit(net, optimizer, loader, accum):
    for i, (x, targets) in enumerate(loader):
        loss = F.binary_cross_entropy_with_logits(net(x), targets)
        loss = loss * targets.size(1) / accum
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


# === right: it counts the samples, over which it is a sum
import torch.nn.functional as F


def fit(net, optimizer, loader, accum):
    for i, (x, targets) in enumerate(loader):
        loss = F.binary_cross_entropy_with_logits(net(x), targets)
        loss = loss * targets.size(0)
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


# === right: a share of all answers
import torch.nn.functional as F


def fit(net, optimizer, loader, accum, answers):
    for i, (x, targets) in enumerate(loader):
        loss = F.binary_cross_entropy_with_logits(net(x), targets)
        loss = loss * (targets.size(1) / answers)
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


# === right: a sum over a sequence that is cut to pieces
import torch
import torch.nn.functional as F


def fit(net, optimizer, loader):
    for x, targets in loader:
        for part, wanted in zip(x.split(64, dim=1), targets.split(64, dim=1)):
            loss = F.binary_cross_entropy_with_logits(net(part), wanted) * wanted.size(1)
            loss.backward()
        optimizer.step()
        optimizer.zero_grad()


# === right: the pieces begin at each so many steps
import torch
import torch.nn.functional as F


def fit(net, optimizer, loader, length):
    for x, targets in loader:
        for start in range(0, x.size(1), length):
            wanted = targets[:, start : start + length]
            loss = F.binary_cross_entropy_with_logits(net(x[:, start : start + length]), wanted)
            loss = loss * wanted.size(1)
            loss.backward()
        optimizer.step()
        optimizer.zero_grad()
