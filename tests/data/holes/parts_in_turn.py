# === a network is evaluated by its parts, as it is trained
import torch
import torch.nn.functional as F


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Dropout(0.5))

    def encode(self, x):
        return self.layers(x)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()

    def encode(self, x):
        return self.encoder.encode(x)

    def metrics(self, h, y):
        return {"loss": F.cross_entropy(h, y)}


def train(data, labels, epochs):
    model = Model()
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(epochs):
        model.train()
        optimizer.zero_grad()
        h = model.encode(data)
        model.metrics(h, labels)["loss"].backward()
        optimizer.step()
        if (epoch + 1) % 10 == 0:
            model.eval()
            h = model.encode(data)  # <- validation-without-no-grad
            print(model.metrics(h, labels)["loss"].item())
# === right: the same under no_grad
import torch
import torch.nn.functional as F


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Dropout(0.5))

    def encode(self, x):
        return self.layers(x)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()

    def encode(self, x):
        return self.encoder.encode(x)

    def metrics(self, h, y):
        return {"loss": F.cross_entropy(h, y)}


def train(data, labels, epochs):
    model = Model()
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(epochs):
        model.train()
        optimizer.zero_grad()
        h = model.encode(data)
        model.metrics(h, labels)["loss"].backward()
        optimizer.step()
        if (epoch + 1) % 10 == 0:
            model.eval()
            with torch.no_grad():
                h = model.encode(data)
                print(model.metrics(h, labels)["loss"].item())
# === right: a part is put back to training before it is asked
import torch
import torch.nn.functional as F


class Part(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Linear(4, 8)

    def encode(self, x):
        return self.layers(x)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.head = Part(), Part()


def train(data, labels, epochs, draw):
    model = Model()
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(epochs):
        model.eval()
        model.encoder.train()
        optimizer.zero_grad()
        h = model.encoder.encode(data)
        F.cross_entropy(h, labels).backward()
        optimizer.step()
        draw(model.encoder.encode(data).detach())
# === right: a part that is not trained stays in evaluation mode, and its answers are detached
import torch
import torch.nn.functional as F


class Part(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Linear(4, 8)

    def encode(self, x):
        return self.layers(x)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.frozen, self.head = Part(), Part()


def train(loader, epochs):
    model = Model()
    optimizer = torch.optim.Adam(model.head.parameters())
    model.eval()
    for epoch in range(epochs):
        model.head.train()
        for x, y in loader:
            optimizer.zero_grad()
            h = model.frozen.encode(x).detach()
            F.cross_entropy(model.head.encode(h), y).backward()
            optimizer.step()
