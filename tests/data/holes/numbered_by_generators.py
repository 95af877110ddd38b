# === numbers from one, and one is added
import torch


def numbered(items):
    number = 0
    for item in items:
        number += 1
        yield number, item


def fit(net, trips):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    sgd.zero_grad()
    for number, (stops, delay) in numbered(trips):
        (torch.nn.functional.mse_loss(net(stops), delay) / 4).backward()
        if (number + 1) % 4 == 0 or number == len(trips):  # <- accumulation-off-by-one
            sgd.step()
            sgd.zero_grad()


# === numbers from one
import torch


def numbered(items):
    number = 0
    for item in items:
        number += 1
        yield number, item


def fit(net, trips):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    sgd.zero_grad()
    for number, (stops, delay) in numbered(trips):
        (torch.nn.functional.mse_loss(net(stops), delay) / 4).backward()
        if number % 4 == 0 or number == len(trips):
            sgd.step()
            sgd.zero_grad()


# === numbers from nought
import torch


def numbered(items):
    number = 0
    for item in items:
        yield number, item
        number += 1


def fit(net, trips):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    sgd.zero_grad()
    for number, (stops, delay) in numbered(trips):
        (torch.nn.functional.mse_loss(net(stops), delay) / 4).backward()
        if number % 4 == 0 or number == len(trips):  # <- accumulation-off-by-one
            sgd.step()
            sgd.zero_grad()


# === numbers from nought, and one is added
import torch


def numbered(items):
    number = 0
    for item in items:
        yield number, item
        number += 1


def fit(net, trips):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    sgd.zero_grad()
    for number, (stops, delay) in numbered(trips):
        (torch.nn.functional.mse_loss(net(stops), delay) / 4).backward()
        if (number + 1) % 4 == 0 or number + 1 == len(trips):
            sgd.step()
            sgd.zero_grad()


# === numbers that begin at one
import torch


def numbered(items):
    number = 1
    for item in items:
        yield number, item
        number += 1


def fit(net, trips):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    sgd.zero_grad()
    for number, (stops, delay) in numbered(trips):
        (torch.nn.functional.mse_loss(net(stops), delay) / 4).backward()
        if number % 4 == 0 or number == len(trips):
            sgd.step()
            sgd.zero_grad()


# === numbers that are given beside something else
import torch


def numbered(items):
    number = 0
    for item in items:
        number += 1
        yield number, item, number == len(items)


def fit(net, trips):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    sgd.zero_grad()
    for number, (stops, delay), last in numbered(trips):
        (torch.nn.functional.mse_loss(net(stops), delay) / 4).backward()
        if number % 4 == 0 or last:
            sgd.step()
            sgd.zero_grad()
