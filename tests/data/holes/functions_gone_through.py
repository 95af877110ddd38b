# === a list of functions that is gone through
import torch


def learn(state, batch):
    state["sgd"].zero_grad()
    state["loss"] = state["net"](batch).mean()
    state["loss"].backward()


def warm(state, batch):
    state["pace"].step()  # <- scheduler-before-optimizer


def move(state, batch):
    state["sgd"].step()


PARTS = [learn, warm, move]


def fit(batches):
    net = torch.nn.Linear(3, 4)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    state = {"net": net, "sgd": sgd, "pace": torch.optim.lr_scheduler.LinearLR(sgd, 0.1, total_iters=10)}
    for batch in batches:
        for part in PARTS:
            part(state, batch)


# === a dictionary that is filled item by item
import torch

PARTS = {}


def learn(state, batch):
    state["sgd"].zero_grad()
    state["loss"] = state["net"](batch).mean()
    state["loss"].backward()


def warm(state, batch):
    state["pace"].step()  # <- scheduler-before-optimizer


def move(state, batch):
    state["sgd"].step()


PARTS["learn"] = learn
PARTS["warm"] = warm
PARTS["move"] = move


def fit(batches):
    net = torch.nn.Linear(3, 4)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    state = {"net": net, "sgd": sgd, "pace": torch.optim.lr_scheduler.LinearLR(sgd, 0.1, total_iters=10)}
    for batch in batches:
        for part in PARTS.values():
            part(state, batch)


# === a plain decorator that appends
import torch

PARTS = []


def part_of(function):
    PARTS.append(function)
    return function


@part_of
def learn(state, batch):
    state["sgd"].zero_grad()
    state["loss"] = state["net"](batch).mean()
    state["loss"].backward()


@part_of
def warm(state, batch):
    state["pace"].step()  # <- scheduler-before-optimizer


@part_of
def move(state, batch):
    state["sgd"].step()


def fit(batches):
    net = torch.nn.Linear(3, 4)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    state = {"net": net, "sgd": sgd, "pace": torch.optim.lr_scheduler.LinearLR(sgd, 0.1, total_iters=10)}
    for batch in batches:
        for part in PARTS:
            part(state, batch)


# === listeners by the name of what happens
from collections import defaultdict

import torch

_LISTENERS = defaultdict(list)


def listens(event):
    def keep(function):
        _LISTENERS[event].append(function)
        return function

    return keep


def emit(event, *given):
    for function in _LISTENERS[event]:
        function(*given)


@listens("batch")
def learn(state, batch):
    state["sgd"].zero_grad()
    state["loss"] = state["net"](batch).mean()
    state["loss"].backward()


@listens("batch")
def warm(state, batch):
    state["pace"].step()  # <- scheduler-before-optimizer


@listens("batch")
def move(state, batch):
    state["sgd"].step()


def fit(batches):
    net = torch.nn.Linear(3, 4)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    state = {"net": net, "sgd": sgd, "pace": torch.optim.lr_scheduler.LinearLR(sgd, 0.1, total_iters=10)}
    for batch in batches:
        emit("batch", state, batch)


# === pairs of names and functions
import torch

PARTS = []


def at(event):
    def keep(function):
        PARTS.append((event, function))
        return function

    return keep


def emit(event, *given):
    for name, function in PARTS:
        if name == event:
            function(*given)


@at("batch")
def learn(state, batch):
    state["sgd"].zero_grad()
    state["loss"] = state["net"](batch).mean()
    state["loss"].backward()


@at("batch")
def warm(state, batch):
    state["pace"].step()  # <- scheduler-before-optimizer


@at("batch")
def move(state, batch):
    state["sgd"].step()


def fit(batches):
    net = torch.nn.Linear(3, 4)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    state = {"net": net, "sgd": sgd, "pace": torch.optim.lr_scheduler.LinearLR(sgd, 0.1, total_iters=10)}
    for batch in batches:
        emit("batch", state, batch)


# === an object that keeps them
import torch


class Bus:
    def __init__(self):
        self._parts = {}

    def on(self, event, function):
        self._parts.setdefault(event, []).append(function)

    def emit(self, event, *given):
        for part in self._parts.get(event, ()):
            part(*given)


def learn(state, batch):
    state["sgd"].zero_grad()
    state["loss"] = state["net"](batch).mean()
    state["loss"].backward()


def warm(state, batch):
    state["pace"].step()  # <- scheduler-before-optimizer


def move(state, batch):
    state["sgd"].step()


bus = Bus()
bus.on("batch", learn)
bus.on("batch", warm)
bus.on("batch", move)


def fit(batches):
    net = torch.nn.Linear(3, 4)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    state = {"net": net, "sgd": sgd, "pace": torch.optim.lr_scheduler.LinearLR(sgd, 0.1, total_iters=10)}
    for batch in batches:
        bus.emit("batch", state, batch)


# === what a loop goes over gives the data: each is a batch
import torch


def first():
    return torch.ones(2, 3)


def second():
    return torch.zeros(2, 3)


def fit(net, sources=[first, second] * 8):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    sgd.zero_grad()
    for number, source in enumerate(sources):
        (net(source()).mean()).backward()  # <- unscaled-accumulation-loss
        if (number + 1) % 4 == 0:
            sgd.step()
            sgd.zero_grad()


# === phases of a training, each with its own loop
import torch


def warm_up(net, sgd, batches):
    for batch in batches:
        net(batch).mean().backward()
        sgd.step()  # <- missing-zero-grad


def finish(net, sgd, batches):
    for batch in batches:
        sgd.zero_grad()
        net(batch).square().mean().backward()
        sgd.step()


def fit(net, batches):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for phase in (warm_up, finish):
        phase(net, sgd, batches)


# === an attribute that is called like a function
import torch


def terms(net, batch):
    return lambda: net(batch).mean()


def train(net, loaders, window=4):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    sgd.zero_grad()
    for number, batch in enumerate(loaders.train):
        term = terms(net, batch)
        (term()).backward()  # <- unscaled-accumulation-loss
        if (number + 1) % window == 0:
            sgd.step()
            sgd.zero_grad()


# === a list of functions that is gone through, right
import torch


def learn(state, batch):
    state["sgd"].zero_grad()
    state["loss"] = state["net"](batch).mean()
    state["loss"].backward()


def move(state, batch):
    state["sgd"].step()


def warm(state, batch):
    state["pace"].step()


PARTS = [learn, move, warm]


def fit(batches):
    net = torch.nn.Linear(3, 4)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    state = {"net": net, "sgd": sgd, "pace": torch.optim.lr_scheduler.LinearLR(sgd, 0.1, total_iters=10)}
    for batch in batches:
        for part in PARTS:
            part(state, batch)


# === a dictionary that is filled item by item, right
import torch

PARTS = {}


def learn(state, batch):
    state["sgd"].zero_grad()
    state["loss"] = state["net"](batch).mean()
    state["loss"].backward()


def move(state, batch):
    state["sgd"].step()


def warm(state, batch):
    state["pace"].step()


PARTS["learn"] = learn
PARTS["move"] = move
PARTS["warm"] = warm


def fit(batches):
    net = torch.nn.Linear(3, 4)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    state = {"net": net, "sgd": sgd, "pace": torch.optim.lr_scheduler.LinearLR(sgd, 0.1, total_iters=10)}
    for batch in batches:
        for part in PARTS.values():
            part(state, batch)


# === a plain decorator that appends, right
import torch

PARTS = []


def part_of(function):
    PARTS.append(function)
    return function


@part_of
def learn(state, batch):
    state["sgd"].zero_grad()
    state["loss"] = state["net"](batch).mean()
    state["loss"].backward()


@part_of
def move(state, batch):
    state["sgd"].step()


@part_of
def warm(state, batch):
    state["pace"].step()


def fit(batches):
    net = torch.nn.Linear(3, 4)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    state = {"net": net, "sgd": sgd, "pace": torch.optim.lr_scheduler.LinearLR(sgd, 0.1, total_iters=10)}
    for batch in batches:
        for part in PARTS:
            part(state, batch)


# === listeners by the name of what happens, right
from collections import defaultdict

import torch

_LISTENERS = defaultdict(list)


def listens(event):
    def keep(function):
        _LISTENERS[event].append(function)
        return function

    return keep


def emit(event, *given):
    for function in _LISTENERS[event]:
        function(*given)


@listens("batch")
def learn(state, batch):
    state["sgd"].zero_grad()
    state["loss"] = state["net"](batch).mean()
    state["loss"].backward()


@listens("batch")
def move(state, batch):
    state["sgd"].step()


@listens("batch")
def warm(state, batch):
    state["pace"].step()


def fit(batches):
    net = torch.nn.Linear(3, 4)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    state = {"net": net, "sgd": sgd, "pace": torch.optim.lr_scheduler.LinearLR(sgd, 0.1, total_iters=10)}
    for batch in batches:
        emit("batch", state, batch)


# === pairs of names and functions, right
import torch

PARTS = []


def at(event):
    def keep(function):
        PARTS.append((event, function))
        return function

    return keep


def emit(event, *given):
    for name, function in PARTS:
        if name == event:
            function(*given)


@at("batch")
def learn(state, batch):
    state["sgd"].zero_grad()
    state["loss"] = state["net"](batch).mean()
    state["loss"].backward()


@at("batch")
def move(state, batch):
    state["sgd"].step()


@at("batch")
def warm(state, batch):
    state["pace"].step()


def fit(batches):
    net = torch.nn.Linear(3, 4)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    state = {"net": net, "sgd": sgd, "pace": torch.optim.lr_scheduler.LinearLR(sgd, 0.1, total_iters=10)}
    for batch in batches:
        emit("batch", state, batch)


# === an object that keeps them, right
import torch


class Bus:
    def __init__(self):
        self._parts = {}

    def on(self, event, function):
        self._parts.setdefault(event, []).append(function)

    def emit(self, event, *given):
        for part in self._parts.get(event, ()):
            part(*given)


def learn(state, batch):
    state["sgd"].zero_grad()
    state["loss"] = state["net"](batch).mean()
    state["loss"].backward()


def move(state, batch):
    state["sgd"].step()


def warm(state, batch):
    state["pace"].step()


bus = Bus()
bus.on("batch", learn)
bus.on("batch", move)
bus.on("batch", warm)


def fit(batches):
    net = torch.nn.Linear(3, 4)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    state = {"net": net, "sgd": sgd, "pace": torch.optim.lr_scheduler.LinearLR(sgd, 0.1, total_iters=10)}
    for batch in batches:
        bus.emit("batch", state, batch)


# === what a loop goes over gives the data: each is a batch, right
import torch


def first():
    return torch.ones(2, 3)


def second():
    return torch.zeros(2, 3)


def fit(net, sources=[first, second] * 8):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    sgd.zero_grad()
    for number, source in enumerate(sources):
        (net(source()).mean() / 4).backward()
        if (number + 1) % 4 == 0:
            sgd.step()
            sgd.zero_grad()


# === phases of a training, each with its own loop, right
import torch


def warm_up(net, sgd, batches):
    for batch in batches:
        sgd.zero_grad()
        net(batch).mean().backward()
        sgd.step()


def finish(net, sgd, batches):
    for batch in batches:
        sgd.zero_grad()
        net(batch).square().mean().backward()
        sgd.step()


def fit(net, batches):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for phase in (warm_up, finish):
        phase(net, sgd, batches)


# === an attribute that is called like a function, right
import torch


def terms(net, batch):
    return lambda: net(batch).mean()


def train(net, loaders, window=4):
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    sgd.zero_grad()
    for number, batch in enumerate(loaders.train):
        term = terms(net, batch)
        (term() / window).backward()
        if (number + 1) % window == 0:
            sgd.step()
            sgd.zero_grad()
