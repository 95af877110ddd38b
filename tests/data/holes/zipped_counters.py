# === a counter that begins at 1, beside a loader
import itertools

import torch


def fit(net, batches, criterion, window=4):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for number, (x, y) in zip(itertools.count(1), batches):
        criterion(net(x), y).backward()  # <- unscaled-accumulation-loss
        if number % window == 0 or number == len(batches):
            sgd.step()
            sgd.zero_grad()

# === the same, divided
import itertools

import torch


def fit(net, batches, criterion, window=4):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for number, (x, y) in zip(itertools.count(1), batches):
        (criterion(net(x), y) / window).backward()
        if number % window == 0 or number == len(batches):
            sgd.step()
            sgd.zero_grad()

# === a counter from 0 behind the data, whose first window is short
from itertools import count

import torch


def fit(net, inputs, targets, criterion, window=4):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y, number in zip(inputs, targets, count()):
        (criterion(net(x), y) / window).backward()
        if number % window == 0 or number + 1 == len(inputs):  # <- accumulation-off-by-one
            sgd.step()
            sgd.zero_grad()

# === a counter from 0 behind the data, to which one is added
from itertools import count

import torch


def fit(net, inputs, targets, criterion, window=4):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y, number in zip(inputs, targets, count()):
        (criterion(net(x), y) / window).backward()
        if (number + 1) % window == 0 or number + 1 == len(inputs):
            sgd.step()
            sgd.zero_grad()

# === one counter for all epochs, beside their data: windows go on over their ends
from itertools import count

import torch


def fit(net, loader, criterion, epochs, window=4):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    counter = count(1)
    for epoch in range(epochs):
        for (x, y), number in zip(loader, counter):
            (criterion(net(x), y) / window).backward()
            if number % window == 0:
                sgd.step()
                sgd.zero_grad()

# === steps for ever, counted from 1
from itertools import count

import torch


def fit(net, draw, criterion, limit, window=4):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for number in count(1):
        x, y = draw()
        criterion(net(x), y).backward()  # <- unscaled-accumulation-loss
        if number % window == 0:
            sgd.step()
            sgd.zero_grad()
        if number == limit:
            break

# === steps for ever, counted from 1, divided
from itertools import count

import torch


def fit(net, draw, criterion, limit, window=4):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for number in count(1):
        x, y = draw()
        (criterion(net(x), y) / window).backward()
        if number % window == 0:
            sgd.step()
            sgd.zero_grad()
        if number == limit:
            break
