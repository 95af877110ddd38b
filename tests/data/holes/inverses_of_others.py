# === a loss is multiplied by the inverse of a window that is no more the loop's
import torch
from torch.nn import functional as F

WINDOW = 6
SHARE = 1 / 4


def fit(net, batches):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for number, (x, y) in enumerate(batches, 1):
        (F.mse_loss(net(x), y) * SHARE).backward()  # <- accumulation-divisor-mismatch
        if number % WINDOW == 0 or number == len(batches):
            sgd.step()
            sgd.zero_grad()

# === by the inverse of the loop's own
import torch
from torch.nn import functional as F

WINDOW = 6
SHARE = 1 / WINDOW


def fit(net, batches):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for number, (x, y) in enumerate(batches, 1):
        (F.mse_loss(net(x), y) * SHARE).backward()
        if number % WINDOW == 0 or number == len(batches):
            sgd.step()
            sgd.zero_grad()

# === by the inverse of another number, besides the window
import torch
from torch.nn import functional as F

WINDOW = 6
SHARE = 1 / 4


def fit(net, batches):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for number, (x, y) in enumerate(batches, 1):
        (F.mse_loss(net(x), y) * SHARE / WINDOW).backward()
        if number % WINDOW == 0 or number == len(batches):
            sgd.step()
            sgd.zero_grad()

# === a sum over samples, by the inverse of how many a whole update has
import torch
from torch.nn import functional as F

WINDOW = 4
SHARE = 1 / 32


def fit(net, batches):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for number, (x, y) in enumerate(batches, 1):
        (F.mse_loss(net(x), y, reduction="sum") * SHARE).backward()
        if number % WINDOW == 0 or number == len(batches):
            sgd.step()
            sgd.zero_grad()

# === what is reduced by nobody in sight, by the inverse of another number
WINDOW = 8
SHARE = 1 / 4


def fit(net, sgd, batches, measure):
    for number, (x, y) in enumerate(batches, 1):
        (measure(net(x), y) * SHARE).backward()
        if number % WINDOW == 0 or number == len(batches):
            sgd.step()
            sgd.zero_grad()
