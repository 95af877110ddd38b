# === a tree of settings that sets its attributes by their names
import torch

DEFAULTS = {"seed": 6, "name": "trams", "resume": None, "optim": {"rate": 0.03, "window": 4}, "data": {"dirs": ["a", "b"], "size": 8}}


class Conf:
    def __init__(self, tree):
        for name, value in tree.items():
            setattr(self, name, Conf(value) if isinstance(value, dict) else value)


def fit(net, trips):
    conf = Conf(DEFAULTS)
    sgd = torch.optim.SGD(net.parameters(), lr=conf.optim.rate)
    sgd.zero_grad()
    for number, (stops, delay) in enumerate(trips, 1):
        loss = torch.nn.functional.mse_loss(net(stops), delay)
        loss.backward()  # <- unscaled-accumulation-loss
        if number % conf.optim.window == 0 or number == len(trips):
            sgd.step()
            sgd.zero_grad()


# === a tree of settings that sets its attributes by their names, right
import torch

DEFAULTS = {"seed": 6, "name": "trams", "resume": None, "optim": {"rate": 0.03, "window": 4}, "data": {"dirs": ["a", "b"], "size": 8}}


class Conf:
    def __init__(self, tree):
        for name, value in tree.items():
            setattr(self, name, Conf(value) if isinstance(value, dict) else value)


def fit(net, trips):
    conf = Conf(DEFAULTS)
    sgd = torch.optim.SGD(net.parameters(), lr=conf.optim.rate)
    sgd.zero_grad()
    for number, (stops, delay) in enumerate(trips, 1):
        loss = torch.nn.functional.mse_loss(net(stops), delay)
        (loss / conf.optim.window).backward()
        if number % conf.optim.window == 0 or number == len(trips):
            sgd.step()
            sgd.zero_grad()


# === a tree of settings that sets its attributes by their names, by a number of which nobody knows what it is for
import torch

DEFAULTS = {"seed": 6, "name": "trams", "resume": None, "optim": {"rate": 0.03, "window": 4}, "data": {"dirs": ["a", "b"], "size": 8}}


class Conf:
    def __init__(self, tree):
        for name, value in tree.items():
            setattr(self, name, Conf(value) if isinstance(value, dict) else value)


def fit(net, trips):
    conf = Conf(DEFAULTS)
    sgd = torch.optim.SGD(net.parameters(), lr=conf.optim.rate)
    sgd.zero_grad()
    for number, (stops, delay) in enumerate(trips, 1):
        loss = torch.nn.functional.mse_loss(net(stops), delay)
        (loss / conf.data.size).backward()
        if number % conf.optim.window == 0 or number == len(trips):
            sgd.step()
            sgd.zero_grad()


# === the same, by a statement
import torch

DEFAULTS = {"seed": 6, "name": "trams", "resume": None, "optim": {"rate": 0.03, "window": 4}, "data": {"dirs": ["a", "b"], "size": 8}}


class Conf:
    def __init__(self, tree):
        for name, value in tree.items():
            if isinstance(value, dict):
                value = Conf(value)
            setattr(self, name, value)


def fit(net, trips):
    conf = Conf(DEFAULTS)
    sgd = torch.optim.SGD(net.parameters(), lr=conf.optim.rate)
    sgd.zero_grad()
    for number, (stops, delay) in enumerate(trips, 1):
        loss = torch.nn.functional.mse_loss(net(stops), delay)
        loss.backward()  # <- unscaled-accumulation-loss
        if number % conf.optim.window == 0 or number == len(trips):
            sgd.step()
            sgd.zero_grad()


# === the same, by a statement, right
import torch

DEFAULTS = {"seed": 6, "name": "trams", "resume": None, "optim": {"rate": 0.03, "window": 4}, "data": {"dirs": ["a", "b"], "size": 8}}


class Conf:
    def __init__(self, tree):
        for name, value in tree.items():
            if isinstance(value, dict):
                value = Conf(value)
            setattr(self, name, value)


def fit(net, trips):
    conf = Conf(DEFAULTS)
    sgd = torch.optim.SGD(net.parameters(), lr=conf.optim.rate)
    sgd.zero_grad()
    for number, (stops, delay) in enumerate(trips, 1):
        loss = torch.nn.functional.mse_loss(net(stops), delay)
        (loss / conf.optim.window).backward()
        if number % conf.optim.window == 0 or number == len(trips):
            sgd.step()
            sgd.zero_grad()


# === the same, by a statement, by a number of which nobody knows what it is for
import torch

DEFAULTS = {"seed": 6, "name": "trams", "resume": None, "optim": {"rate": 0.03, "window": 4}, "data": {"dirs": ["a", "b"], "size": 8}}


class Conf:
    def __init__(self, tree):
        for name, value in tree.items():
            if isinstance(value, dict):
                value = Conf(value)
            setattr(self, name, value)


def fit(net, trips):
    conf = Conf(DEFAULTS)
    sgd = torch.optim.SGD(net.parameters(), lr=conf.optim.rate)
    sgd.zero_grad()
    for number, (stops, delay) in enumerate(trips, 1):
        loss = torch.nn.functional.mse_loss(net(stops), delay)
        (loss / conf.data.size).backward()
        if number % conf.optim.window == 0 or number == len(trips):
            sgd.step()
            sgd.zero_grad()
