"""A network that is long to make and holds its layers in lists of lists: what it was handed tells whether it has a mode."""

# === right: linear layers in lists of lists, reached by their places; it was handed numbers, words and a device
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, wide, rank, device):
        super().__init__()
        self.device = device
        self.narrow, self.widen = nn.Linear(wide, rank), nn.Linear(rank, wide)

    def forward(self, x):
        return self.widen(torch.tanh(self.narrow(x.to(self.device))))


class Tower(nn.Module):
    def __init__(self, device, ranks, kinds=("plain",), wide=16, twice=False, scale=1.0, bias=None):
        super().__init__()
        self.device, self.ranks = device, ranks
        self.kinds = kinds
        self.wide = wide
        self.twice = twice
        self.scale = scale
        self.bias = bias
        self.floors = []
        self.weights = []
        self.steps = 0
        self.last = nn.Linear(wide, wide)
        self.names = []
        for floor in range(len(self.ranks)):
            self.floors.append(self.floor_of(floor))
        self.weights = nn.ParameterList(self.weights)
        self.count = len(self.floors)
        self.to(self.device)

    def floor_of(self, number):
        kind = self.kinds[number % len(self.kinds)]
        rows = []
        for _ in range(2 if self.twice else 1):
            make = Tower.pick(kind)
            layer = make(self.wide, self.ranks[number], self.device)
            self.weights.extend(layer.parameters())
            rows.append(layer)
        return rows

    @staticmethod
    def pick(kind):
        return Layer

    def forward(self, x):
        for i in range(len(self.floors)):
            for j in range(len(self.floors[i])):
                x = x + self.floors[i][j](x)
        return self.last(x)


def main(train, held):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Tower(device, [4] * 3, kinds=("plain",), wide=8, twice=True)
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
# === a layer in the lists drops out
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, wide, rank, device):
        super().__init__()
        self.device = device
        self.narrow, self.widen = nn.Linear(wide, rank), nn.Linear(rank, wide)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(torch.tanh(self.narrow(x.to(self.device))))


class Tower(nn.Module):
    def __init__(self, device, ranks, kinds=("plain",), wide=16, twice=False, scale=1.0, bias=None):
        super().__init__()
        self.device, self.ranks = device, ranks
        self.kinds = kinds
        self.wide = wide
        self.twice = twice
        self.scale = scale
        self.bias = bias
        self.floors = []
        self.weights = []
        self.steps = 0
        self.last = nn.Linear(wide, wide)
        self.names = []
        for floor in range(len(self.ranks)):
            self.floors.append(self.floor_of(floor))
        self.weights = nn.ParameterList(self.weights)
        self.count = len(self.floors)
        self.to(self.device)

    def floor_of(self, number):
        kind = self.kinds[number % len(self.kinds)]
        rows = []
        for _ in range(2 if self.twice else 1):
            make = Tower.pick(kind)
            layer = make(self.wide, self.ranks[number], self.device)
            self.weights.extend(layer.parameters())
            rows.append(layer)
        return rows

    @staticmethod
    def pick(kind):
        return Layer

    def forward(self, x):
        for i in range(len(self.floors)):
            for j in range(len(self.floors[i])):
                x = x + self.floors[i][j](x)
        return self.last(x)


def main(train, held):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Tower(device, [4] * 3, kinds=("plain",), wide=8, twice=True)
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
# === a trunk is handed over beside the numbers
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, wide, rank, device):
        super().__init__()
        self.device = device
        self.narrow, self.widen = nn.Linear(wide, rank), nn.Linear(rank, wide)

    def forward(self, x):
        return self.widen(torch.tanh(self.narrow(x.to(self.device))))


class Tower(nn.Module):
    def __init__(self, device, ranks, trunk, kinds=("plain",), wide=16, twice=False, scale=1.0, bias=None):
        super().__init__()
        self.device, self.ranks = device, ranks
        self.kinds = kinds
        self.wide = wide
        self.twice = twice
        self.scale = scale
        self.bias = bias
        self.floors = []
        self.weights = []
        self.steps = 0
        self.last = trunk
        self.names = []
        for floor in range(len(self.ranks)):
            self.floors.append(self.floor_of(floor))
        self.weights = nn.ParameterList(self.weights)
        self.count = len(self.floors)
        self.to(self.device)

    def floor_of(self, number):
        kind = self.kinds[number % len(self.kinds)]
        rows = []
        for _ in range(2 if self.twice else 1):
            make = Tower.pick(kind)
            layer = make(self.wide, self.ranks[number], self.device)
            self.weights.extend(layer.parameters())
            rows.append(layer)
        return rows

    @staticmethod
    def pick(kind):
        return Layer

    def forward(self, x):
        for i in range(len(self.floors)):
            for j in range(len(self.floors[i])):
                x = x + self.floors[i][j](x)
        return self.last(x)


def main(trunk, train, held):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Tower(device, [4] * 3, trunk, kinds=("plain",), wide=8, twice=True)
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
# === right: the trunk that is handed over is a linear layer in sight
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, wide, rank, device):
        super().__init__()
        self.device = device
        self.narrow, self.widen = nn.Linear(wide, rank), nn.Linear(rank, wide)

    def forward(self, x):
        return self.widen(torch.tanh(self.narrow(x.to(self.device))))


class Tower(nn.Module):
    def __init__(self, device, ranks, trunk, kinds=("plain",), wide=16, twice=False, scale=1.0, bias=None):
        super().__init__()
        self.device, self.ranks = device, ranks
        self.kinds = kinds
        self.wide = wide
        self.twice = twice
        self.scale = scale
        self.bias = bias
        self.floors = []
        self.weights = []
        self.steps = 0
        self.last = trunk
        self.names = []
        for floor in range(len(self.ranks)):
            self.floors.append(self.floor_of(floor))
        self.weights = nn.ParameterList(self.weights)
        self.count = len(self.floors)
        self.to(self.device)

    def floor_of(self, number):
        kind = self.kinds[number % len(self.kinds)]
        rows = []
        for _ in range(2 if self.twice else 1):
            make = Tower.pick(kind)
            layer = make(self.wide, self.ranks[number], self.device)
            self.weights.extend(layer.parameters())
            rows.append(layer)
        return rows

    @staticmethod
    def pick(kind):
        return Layer

    def forward(self, x):
        for i in range(len(self.floors)):
            for j in range(len(self.floors[i])):
                x = x + self.floors[i][j](x)
        return self.last(x)


def main(train, held):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Tower(device, [4] * 3, Layer(8, 2, device), kinds=("plain",), wide=8, twice=True)
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
# === a list of trunks is handed over
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, wide, rank, device):
        super().__init__()
        self.device = device
        self.narrow, self.widen = nn.Linear(wide, rank), nn.Linear(rank, wide)

    def forward(self, x):
        return self.widen(torch.tanh(self.narrow(x.to(self.device))))


class Tower(nn.Module):
    def __init__(self, device, ranks, trunks, kinds=("plain",), wide=16, twice=False, scale=1.0, bias=None):
        super().__init__()
        self.device, self.ranks = device, ranks
        self.kinds = kinds
        self.wide = wide
        self.twice = twice
        self.scale = scale
        self.bias = bias
        self.floors = []
        self.weights = []
        self.steps = 0
        self.last = trunks
        self.names = []
        for floor in range(len(self.ranks)):
            self.floors.append(self.floor_of(floor))
        self.weights = nn.ParameterList(self.weights)
        self.count = len(self.floors)
        self.to(self.device)

    def floor_of(self, number):
        kind = self.kinds[number % len(self.kinds)]
        rows = []
        for _ in range(2 if self.twice else 1):
            make = Tower.pick(kind)
            layer = make(self.wide, self.ranks[number], self.device)
            self.weights.extend(layer.parameters())
            rows.append(layer)
        return rows

    @staticmethod
    def pick(kind):
        return Layer

    def forward(self, x):
        for i in range(len(self.floors)):
            for j in range(len(self.floors[i])):
                x = x + self.floors[i][j](x)
        return self.last[0](x)


def main(trunk, train, held):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Tower(device, [4] * 3, [trunk], kinds=("plain",), wide=8, twice=True)
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
# === settings that nobody can list may hold a trunk
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, wide, rank, device):
        super().__init__()
        self.device = device
        self.narrow, self.widen = nn.Linear(wide, rank), nn.Linear(rank, wide)

    def forward(self, x):
        return self.widen(torch.tanh(self.narrow(x.to(self.device))))


class Tower(nn.Module):
    def __init__(self, device, ranks, trunk=None, kinds=("plain",), wide=16, twice=False, scale=1.0, bias=None):
        super().__init__()
        self.device, self.ranks = device, ranks
        self.kinds = kinds
        self.wide = wide
        self.twice = twice
        self.scale = scale
        self.bias = bias
        self.floors = []
        self.weights = []
        self.steps = 0
        self.last = trunk
        self.names = []
        for floor in range(len(self.ranks)):
            self.floors.append(self.floor_of(floor))
        self.weights = nn.ParameterList(self.weights)
        self.count = len(self.floors)
        self.to(self.device)

    def floor_of(self, number):
        kind = self.kinds[number % len(self.kinds)]
        rows = []
        for _ in range(2 if self.twice else 1):
            make = Tower.pick(kind)
            layer = make(self.wide, self.ranks[number], self.device)
            self.weights.extend(layer.parameters())
            rows.append(layer)
        return rows

    @staticmethod
    def pick(kind):
        return Layer

    def forward(self, x):
        for i in range(len(self.floors)):
            for j in range(len(self.floors[i])):
                x = x + self.floors[i][j](x)
        return self.last(x)


def main(settings, train, held):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Tower(device, [4] * 3, kinds=("plain",), wide=8, **settings)
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
# === several arguments that nobody can list may hold a trunk
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, wide, rank, device):
        super().__init__()
        self.device = device
        self.narrow, self.widen = nn.Linear(wide, rank), nn.Linear(rank, wide)

    def forward(self, x):
        return self.widen(torch.tanh(self.narrow(x.to(self.device))))


class Tower(nn.Module):
    def __init__(self, device, ranks, trunk=None, kinds=("plain",), wide=16, twice=False, scale=1.0, bias=None):
        super().__init__()
        self.device, self.ranks = device, ranks
        self.kinds = kinds
        self.wide = wide
        self.twice = twice
        self.scale = scale
        self.bias = bias
        self.floors = []
        self.weights = []
        self.steps = 0
        self.last = trunk
        self.names = []
        for floor in range(len(self.ranks)):
            self.floors.append(self.floor_of(floor))
        self.weights = nn.ParameterList(self.weights)
        self.count = len(self.floors)
        self.to(self.device)

    def floor_of(self, number):
        kind = self.kinds[number % len(self.kinds)]
        rows = []
        for _ in range(2 if self.twice else 1):
            make = Tower.pick(kind)
            layer = make(self.wide, self.ranks[number], self.device)
            self.weights.extend(layer.parameters())
            rows.append(layer)
        return rows

    @staticmethod
    def pick(kind):
        return Layer

    def forward(self, x):
        for i in range(len(self.floors)):
            for j in range(len(self.floors[i])):
                x = x + self.floors[i][j](x)
        return self.last(x)


def main(more, train, held):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Tower(device, [4] * 3, *more, wide=8, twice=True)
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
# === right: a trunk that may be handed over, and is not
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, wide, rank, device):
        super().__init__()
        self.device = device
        self.narrow, self.widen = nn.Linear(wide, rank), nn.Linear(rank, wide)

    def forward(self, x):
        return self.widen(torch.tanh(self.narrow(x.to(self.device))))


class Tower(nn.Module):
    def __init__(self, device, ranks, trunk=None, kinds=("plain",), wide=16, twice=False, scale=1.0, bias=None):
        super().__init__()
        self.device, self.ranks = device, ranks
        self.kinds = kinds
        self.wide = wide
        self.twice = twice
        self.scale = scale
        self.bias = bias
        self.floors = []
        self.weights = []
        self.steps = 0
        self.last = trunk
        self.names = []
        for floor in range(len(self.ranks)):
            self.floors.append(self.floor_of(floor))
        self.weights = nn.ParameterList(self.weights)
        self.count = len(self.floors)
        self.to(self.device)

    def floor_of(self, number):
        kind = self.kinds[number % len(self.kinds)]
        rows = []
        for _ in range(2 if self.twice else 1):
            make = Tower.pick(kind)
            layer = make(self.wide, self.ranks[number], self.device)
            self.weights.extend(layer.parameters())
            rows.append(layer)
        return rows

    @staticmethod
    def pick(kind):
        return Layer

    def forward(self, x):
        for i in range(len(self.floors)):
            for j in range(len(self.floors[i])):
                x = x + self.floors[i][j](x)
        return x if self.last is None else self.last(x)


def main(train, held):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Tower(device, [4] * 3, kinds=("plain",), wide=8, twice=True)
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
