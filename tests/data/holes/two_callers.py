# === of two functions that run a third one, only one clears
import torch


def update(model, optimizer, x, y):
    loss = torch.nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()  # <- missing-zero-grad


def pretrain(loader):
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        update(model, optimizer, x, y)


def finetune(loader):
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        update(model, optimizer, x, y)
# === right: both functions that run a third one clear
import torch


def update(model, optimizer, x, y):
    loss = torch.nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()


def pretrain(loader):
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        update(model, optimizer, x, y)


def finetune(loader):
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        update(model, optimizer, x, y)
        model.zero_grad()
# === right: one of two functions that run a third one clears, and a switch says whether the other does
import torch


def update(model, optimizer, x, y):
    loss = torch.nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()


def pretrain(loader):
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        update(model, optimizer, x, y)


def finetune(loader, fresh):
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        if fresh:
            optimizer.zero_grad()
        update(model, optimizer, x, y)
# === right: one of two callers is a method, and nobody sees on what kind of object it is called
import torch


def update(model, optimizer, x, y):
    loss = torch.nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()


def pretrain(loader):
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        update(model, optimizer, x, y)


class Trainer:
    def before(self):
        pass

    def fit(self, loader):
        for x, y in loader:
            self.before()
            update(self.model, self.optimizer, x, y)
