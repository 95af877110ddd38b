"""A network of one's own that is the same in both modes needs no `train()` beside another one; any other does."""

# === right: a linear layer in a class, beside the network
import torch
from torch import nn
import torch.nn.functional as F


class Shift(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(1, 1)
        self.line.bias.data.fill_(0.0)

    def forward(self, x):
        return self.line(x.unsqueeze(2)).squeeze(2)


class Learner:
    def __init__(self, net, lr):
        self.net, self.shift = net, Shift()
        self.opt = torch.optim.SGD([*self.net.parameters(), *self.shift.parameters()], lr=lr)

    def fit(self, loader, tests, epochs):
        for epoch in range(epochs):
            self.net.train()
            for x, y in loader:
                self.opt.zero_grad()
                F.cross_entropy(self.shift(self.net(x)), y).backward()
                self.opt.step()
            self.evaluate(tests)

    def evaluate(self, tests):
        self.net.eval()
        self.shift.eval()
        with torch.no_grad():
            for x, _ in tests:
                print(self.shift(self.net(x)).argmax(1))
# === a layer beside it drops out
import torch
from torch import nn
import torch.nn.functional as F


class Shift(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(1, 1)
        self.drop = nn.Dropout(0.2)

    def forward(self, x):
        return self.drop(self.line(x.unsqueeze(2)).squeeze(2))


class Learner:
    def __init__(self, net, lr):
        self.net, self.shift = net, Shift()
        self.opt = torch.optim.SGD([*self.net.parameters(), *self.shift.parameters()], lr=lr)

    def fit(self, loader, tests, epochs):
        for epoch in range(epochs):
            self.net.train()
            for x, y in loader:
                self.opt.zero_grad()
                F.cross_entropy(self.shift(self.net(x)), y).backward()
                self.opt.step()
            self.evaluate(tests)  # <- missing-train-mode

    def evaluate(self, tests):
        self.net.eval()
        self.shift.eval()
        with torch.no_grad():
            for x, _ in tests:
                print(self.shift(self.net(x)).argmax(1))
# === a function drops out where the mode says so
import torch
from torch import nn
import torch.nn.functional as F


class Shift(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(1, 1)

    def forward(self, x):
        return F.dropout(self.line(x.unsqueeze(2)).squeeze(2), 0.1, self.training)


class Learner:
    def __init__(self, net, lr):
        self.net, self.shift = net, Shift()
        self.opt = torch.optim.SGD([*self.net.parameters(), *self.shift.parameters()], lr=lr)

    def fit(self, loader, tests, epochs):
        for epoch in range(epochs):
            self.net.train()
            for x, y in loader:
                self.opt.zero_grad()
                F.cross_entropy(self.shift(self.net(x)), y).backward()
                self.opt.step()
            self.evaluate(tests)  # <- missing-train-mode

    def evaluate(self, tests):
        self.net.eval()
        self.shift.eval()
        with torch.no_grad():
            for x, _ in tests:
                print(self.shift(self.net(x)).argmax(1))
# === what it holds is handed over: it may do anything
import torch
from torch import nn
import torch.nn.functional as F


class Shift(nn.Module):
    def __init__(self, line):
        super().__init__()
        self.line = line

    def forward(self, x):
        return self.line(x.unsqueeze(2)).squeeze(2)


class Learner:
    def __init__(self, net, line, lr):
        self.net, self.shift = net, Shift(line)
        self.opt = torch.optim.SGD([*self.net.parameters(), *self.shift.parameters()], lr=lr)

    def fit(self, loader, tests, epochs):
        for epoch in range(epochs):
            self.net.train()
            for x, y in loader:
                self.opt.zero_grad()
                F.cross_entropy(self.shift(self.net(x)), y).backward()
                self.opt.step()
            self.evaluate(tests)  # <- missing-train-mode

    def evaluate(self, tests):
        self.net.eval()
        self.shift.eval()
        with torch.no_grad():
            for x, _ in tests:
                print(self.shift(self.net(x)).argmax(1))
# === right: what it holds is handed over, and woken
import torch
from torch import nn
import torch.nn.functional as F


class Shift(nn.Module):
    def __init__(self, line):
        super().__init__()
        self.line = line

    def forward(self, x):
        return self.line(x.unsqueeze(2)).squeeze(2)


class Learner:
    def __init__(self, net, line, lr):
        self.net, self.shift = net, Shift(line)
        self.opt = torch.optim.SGD([*self.net.parameters(), *self.shift.parameters()], lr=lr)

    def fit(self, loader, tests, epochs):
        for epoch in range(epochs):
            self.net.train()
            self.shift.train()
            for x, y in loader:
                self.opt.zero_grad()
                F.cross_entropy(self.shift(self.net(x)), y).backward()
                self.opt.step()
            self.evaluate(tests)

    def evaluate(self, tests):
        self.net.eval()
        self.shift.eval()
        with torch.no_grad():
            for x, _ in tests:
                print(self.shift(self.net(x)).argmax(1))
# === right: what stands behind a network is trained through it, which is put to sleep for that
import torch
from torch import nn
import torch.nn.functional as F


class Learner:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(8, 4), nn.Dropout(0.5))
        self.shift = nn.Sequential(nn.Linear(4, 4), nn.Tanh())
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def stages(self, loader, held, number):
        for stage in range(number):
            for epoch in range(3):
                self.net.train()
                for x, y in loader:
                    self.opt.zero_grad()
                    F.cross_entropy(self.net(x), y).backward()
                    self.opt.step()
                self.evaluate(held)
            self.correct(held)

    def evaluate(self, held):
        self.net.eval()
        with torch.no_grad():
            for x, y in held:
                print(self.net(x).argmax(1))

    def correct(self, held):
        other = torch.optim.Adam(self.shift.parameters(), lr=1e-3)
        self.net.eval()
        for _ in range(5):
            for x, y in held:
                other.zero_grad()
                F.cross_entropy(self.shift(self.net(x)), y).backward()
                other.step()
# === the network goes on being trained where it was evaluated
import torch
from torch import nn
import torch.nn.functional as F


class Learner:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(8, 4), nn.Dropout(0.5))
        self.shift = nn.Sequential(nn.Linear(4, 4), nn.Tanh())
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def stages(self, loader, held, number):
        for stage in range(number):
            self.net.train()
            for epoch in range(3):
                for x, y in loader:
                    self.opt.zero_grad()
                    F.cross_entropy(self.net(x), y).backward()
                    self.opt.step()
                self.evaluate(held)  # <- missing-train-mode
            self.correct(held)

    def evaluate(self, held):
        self.net.eval()
        with torch.no_grad():
            for x, y in held:
                print(self.net(x).argmax(1))

    def correct(self, held):
        other = torch.optim.Adam(self.shift.parameters(), lr=1e-3)
        self.net.eval()
        for _ in range(5):
            for x, y in held:
                other.zero_grad()
                F.cross_entropy(self.shift(self.net(x)), y).backward()
                other.step()
# === right: a single network that is the same in both modes
import torch
from torch import nn
import torch.nn.functional as F


class Actor(nn.Module):
    LOWEST = -5

    def __init__(self, size, deep, space):
        super().__init__()
        self.first = nn.Linear(size, 64)
        self.hidden = nn.ModuleList()
        for _ in range(deep):
            self.hidden.append(nn.Linear(64, 64))
            self.hidden.append(nn.ReLU())
        self.last = nn.Linear(64, 2)
        self.register_buffer("scale", torch.tensor(space.high - space.low))

    def forward(self, x):
        x = F.relu(self.first(x))
        for layer in self.hidden:
            x = layer(x)
        return self.last(x).clamp(self.LOWEST) * self.scale

    def act(self, x):
        spread = torch.distributions.Normal(self(x), 1.0)
        return spread.rsample()


def measure(actor, held):
    actor.eval()
    with torch.no_grad():
        print(sum(F.mse_loss(actor.act(x), y) for x, y in held))


def main(loader, held, space):
    actor = Actor(8, 4, space)
    opt = torch.optim.Adam(actor.parameters())
    for step, (x, y) in enumerate(loader):
        opt.zero_grad()
        F.mse_loss(actor(x), y).backward()
        opt.step()
        if step % 100 == 0:
            measure(actor, held)
# === one of the layers in its list drops out
import torch
from torch import nn
import torch.nn.functional as F


class Actor(nn.Module):
    def __init__(self, size, deep):
        super().__init__()
        self.first = nn.Linear(size, 64)
        self.hidden = nn.ModuleList()
        for _ in range(deep):
            self.hidden.append(nn.Linear(64, 64))
            self.hidden.append(nn.Dropout(0.1))

    def forward(self, x):
        x = F.relu(self.first(x))
        for layer in self.hidden:
            x = layer(x)
        return x


def measure(actor, held):
    actor.eval()
    with torch.no_grad():
        print(sum(F.mse_loss(actor(x), y) for x, y in held))


def main(loader, held):
    actor = Actor(8, 4)
    opt = torch.optim.Adam(actor.parameters())
    for step, (x, y) in enumerate(loader):
        opt.zero_grad()
        F.mse_loss(actor(x), y).backward()
        opt.step()
        if step % 100 == 0:
            measure(actor, held)  # <- missing-train-mode
# === a layer of the project's own in its list
import torch
from torch import nn
import torch.nn.functional as F

from layers import Block


class Actor(nn.Module):
    def __init__(self, size, deep):
        super().__init__()
        self.first = nn.Linear(size, 64)
        self.hidden = nn.ModuleList([Block(64) for _ in range(deep)])

    def forward(self, x):
        x = F.relu(self.first(x))
        for layer in self.hidden:
            x = layer(x)
        return x


def measure(actor, held):
    actor.eval()
    with torch.no_grad():
        print(sum(F.mse_loss(actor(x), y) for x, y in held))


def main(loader, held):
    actor = Actor(8, 4)
    opt = torch.optim.Adam(actor.parameters())
    for step, (x, y) in enumerate(loader):
        opt.zero_grad()
        F.mse_loss(actor(x), y).backward()
        opt.step()
        if step % 100 == 0:
            measure(actor, held)  # <- missing-train-mode
# === it hands itself to a function that may ask for its mode
import torch
from torch import nn
import torch.nn.functional as F

from layers import shaken


class Actor(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.first = nn.Linear(size, 64)

    def forward(self, x):
        return shaken(self, self.first(x))


def measure(actor, held):
    actor.eval()
    with torch.no_grad():
        print(sum(F.mse_loss(actor(x), y) for x, y in held))


def main(loader, held):
    actor = Actor(8)
    opt = torch.optim.Adam(actor.parameters())
    for step, (x, y) in enumerate(loader):
        opt.zero_grad()
        F.mse_loss(actor(x), y).backward()
        opt.step()
        if step % 100 == 0:
            measure(actor, held)  # <- missing-train-mode
# === right: parts of one's own without a mode, numbers that it was given, an optimizer and a criterion of its own
import torch
from torch import nn
from torch.nn import Module, Parameter


class Spread(Module):
    def __init__(self, layers, size):
        super(Spread, self).__init__()
        self.layers = layers
        self.size = size

    def forward(self, graph, items):
        zeros = torch.zeros(1, self.size).fill_(0)
        items = torch.cat([zeros, items], 0)
        for i in range(self.layers):
            items = torch.sparse.mm(graph, items)
        return items


class Session(Module):
    def __init__(self, graph, count, rate, layers, size=100, batch=100):
        super(Session, self).__init__()
        self.graph, self.batch = graph, batch
        self.size = size
        self.layers = layers
        self.items = nn.Embedding(count, self.size)
        self.spread = Spread(self.layers, self.size)
        self.first = nn.Linear(2 * self.size, self.size)
        self.second = Parameter(torch.Tensor(self.size, 1))
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(self.parameters(), lr=rate)
        self.start()

    def start(self):
        for weight in self.parameters():
            weight.data.uniform_(-0.1, 0.1)

    def contrast(self, left, right):
        def shuffled(rows):
            return rows[torch.randperm(rows.size(0))]

        return (left * shuffled(right)).sum()

    def forward(self, rows):
        items = self.spread(self.graph, self.items.weight)
        place = items.unsqueeze(0).repeat(self.batch, 1, 1)
        return torch.tanh(self.first(place)) @ self.second


def run(model, train, held):
    for rows, target in train:
        model.zero_grad()
        loss = model.criterion(model(rows), target)
        loss.backward()
        model.optimizer.step()
    model.eval()
    with torch.no_grad():
        for rows, target in held:
            print(model(rows).topk(20), target)


def main(graph, train, held):
    model = Session(graph, 100, 1e-3, 2)
    for epoch in range(30):
        run(model, train, held)
# === a part of one's own has a batch norm
import torch
from torch import nn


class Spread(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.norm = nn.BatchNorm1d(size)

    def forward(self, graph, items):
        return self.norm(torch.sparse.mm(graph, items))


class Session(nn.Module):
    def __init__(self, graph, count, size=100):
        super().__init__()
        self.graph = graph
        self.items = nn.Embedding(count, size)
        self.spread = Spread(size)
        self.last = nn.Linear(size, size)

    def forward(self, rows):
        return self.last(self.spread(self.graph, self.items.weight)[rows])


def run(model, opt, train, held):
    for rows, target in train:
        opt.zero_grad()
        nn.functional.cross_entropy(model(rows), target).backward()
        opt.step()
    model.eval()  # <- missing-train-mode
    with torch.no_grad():
        for rows, target in held:
            print(model(rows).topk(20), target)


def main(graph, train, held):
    model = Session(graph, 100)
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(30):
        run(model, opt, train, held)
# === what it was given is called: nobody knows its modes
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, trunk, size):
        super().__init__()
        self.trunk = trunk
        self.last = nn.Linear(size, 10)

    def forward(self, x):
        return self.last(self.trunk(x))


def run(model, opt, train, held):
    for x, y in train:
        opt.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        opt.step()
    model.eval()  # <- missing-train-mode
    with torch.no_grad():
        for x, y in held:
            print(model(x).argmax(1), y)


def main(trunk, train, held):
    model = Head(trunk, 64)
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(30):
        run(model, opt, train, held)
# === what it was given is handed to a function that may call it
import torch
from torch import nn


def through(blocks, x):
    for block in blocks:
        x = block(x)
    return x


class Head(nn.Module):
    def __init__(self, blocks, size):
        super().__init__()
        self.blocks = blocks
        self.last = nn.Linear(size, 10)

    def forward(self, x):
        return self.last(through(self.blocks, x))


def run(model, opt, train, held):
    for x, y in train:
        opt.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        opt.step()
    model.eval()  # <- missing-train-mode
    with torch.no_grad():
        for x, y in held:
            print(model(x).argmax(1), y)


def main(blocks, train, held):
    model = Head(blocks, 64)
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(30):
        run(model, opt, train, held)
# === what it was given is called by torch
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Head(nn.Module):
    def __init__(self, trunk, size):
        super().__init__()
        self.trunk = trunk
        self.last = nn.Linear(size, 10)

    def forward(self, x):
        return self.last(checkpoint(self.trunk, x))


def run(model, opt, train, held):
    for x, y in train:
        opt.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        opt.step()
    model.eval()  # <- missing-train-mode
    with torch.no_grad():
        for x, y in held:
            print(model(x).argmax(1), y)


def main(trunk, train, held):
    model = Head(trunk, 64)
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(30):
        run(model, opt, train, held)
# === what it was given is called by torch, by its whole name
import torch
from torch import nn
import torch.utils.checkpoint


class Head(nn.Module):
    def __init__(self, trunk, size):
        super().__init__()
        self.trunk = trunk
        self.last = nn.Linear(size, 10)

    def forward(self, x):
        return self.last(torch.utils.checkpoint.checkpoint(self.trunk, x))


def run(model, opt, train, held):
    for x, y in train:
        opt.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        opt.step()
    model.eval()  # <- missing-train-mode
    with torch.no_grad():
        for x, y in held:
            print(model(x).argmax(1), y)


def main(trunk, train, held):
    model = Head(trunk, 64)
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(30):
        run(model, opt, train, held)
# === right: sizes go through zip, a base is an enumeration, and an activation of torch is handed over
import enum

import torch
from torch import nn


class Order(enum.IntEnum):
    FIRST = 0


class Turn(nn.Module):
    def __init__(self, wide, deep):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(wide, deep))

    def forward(self, x):
        return x @ self.weight


class Field(nn.Module):
    def __init__(self, widths, modes, act=torch.tanh):
        super().__init__()
        self.widths, self.act, self.order = widths, act, Order.FIRST
        self.turns = nn.ModuleList([Turn(a, b) for a, b, _ in zip(self.widths, self.widths[1:], modes)])
        self.scale = torch.tensor(1.0)

    def to(self, device):
        self.scale = self.scale.to(device)
        return super().to(device)

    def forward(self, x):
        for turn in self.turns:
            x = turn(x)
        return self.act(x) * self.scale


def main(settings, train, held):
    model = Field(settings["widths"], settings["modes"]).to("cuda")
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(30):
        for x, y in train:
            opt.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            opt.step()
        model.eval()
        with torch.no_grad():
            for x, y in held:
                print(model(x), y)
# === the class of a layer is handed over
import torch
from torch import nn


class Field(nn.Module):
    def __init__(self, size, layer):
        super().__init__()
        self.turn, self.last = layer(size), nn.Linear(size, size)

    def forward(self, x):
        return self.last(self.turn(x))


def main(layer, train, held):
    model = Field(8, layer)
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(30):
        for x, y in train:
            opt.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            opt.step()
        model.eval()  # <- missing-train-mode
        with torch.no_grad():
            for x, y in held:
                print(model(x), y)
# === a row of blocks that were handed over
import torch
from torch import nn


class Field(nn.Sequential):
    def __init__(self, *blocks):
        super().__init__(*blocks)

    def penalty(self):
        return sum(weight.pow(2).sum() for weight in self.parameters())


def main(blocks, train, held):
    model = Field(*blocks)
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(30):
        for x, y in train:
            opt.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            opt.step()
        model.eval()  # <- missing-train-mode
        with torch.no_grad():
            for x, y in held:
                print(model(x), y)
# === batch norm is named, and made where its name is handed on
import torch
from torch import nn


def block(size, norm=nn.BatchNorm1d):
    return nn.Sequential(nn.Linear(size, size), norm(size))


class Field(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.turn = block(size)

    def forward(self, x):
        return self.turn(x)


def main(train, held):
    model = Field(8)
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(30):
        for x, y in train:
            opt.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            opt.step()
        model.eval()  # <- missing-train-mode
        with torch.no_grad():
            for x, y in held:
                print(model(x), y)
# === a package that nobody sees makes a part of it
import timm
import torch
from torch import nn


class Field(nn.Module):
    def __init__(self, name, size):
        super().__init__()
        self.turn, self.last = timm.create_model(name), nn.Linear(size, size)

    def forward(self, x):
        return self.last(self.turn(x))


def main(train, held):
    model = Field("resnet18", 8)
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(30):
        for x, y in train:
            opt.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            opt.step()
        model.eval()  # <- missing-train-mode
        with torch.no_grad():
            for x, y in held:
                print(model(x), y)
# === right: a rate of zero drops nothing, and an LSTM of one layer is told nothing of it
import torch
from torch import nn


class Field(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.turn, self.drop = nn.LSTM(size, size), nn.Dropout(0.0)

    def forward(self, x):
        return self.drop(self.turn(x)[0])


def main(train, held):
    model = Field(8)
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(30):
        for x, y in train:
            opt.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            opt.step()
        model.eval()
        with torch.no_grad():
            for x, y in held:
                print(model(x), y)
# === an LSTM of several layers that drops out between them
import torch
from torch import nn


class Field(nn.Module):
    def __init__(self, size, dropout):
        super().__init__()
        self.turn = nn.LSTM(size, size, 2, dropout=dropout)

    def forward(self, x):
        return self.turn(x)[0]


def main(train, held):
    model = Field(8, 0.2)
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(30):
        for x, y in train:
            opt.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            opt.step()
        model.eval()  # <- missing-train-mode
        with torch.no_grad():
            for x, y in held:
                print(model(x), y)
