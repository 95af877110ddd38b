# === layers that an object calls, and a list of them that is put into evaluation mode
import torch
from torch import nn


class Forecaster:
    def __init__(self, horizon):
        self.rnn = nn.GRU(1, 20, batch_first=True, dropout=0.1, num_layers=2)
        self.proj = nn.Linear(20, horizon)
        self.parts = nn.ModuleList([self.rnn, self.proj])
        self.optimizer = torch.optim.Adam(self.parts.parameters(), lr=4e-3)

    def loss(self, past, future):
        _, hidden = self.rnn(past)  # <- validation-without-no-grad
        return nn.functional.mse_loss(self.proj(hidden[-1]), future)

    def train(self, batches):
        self.parts.train()
        for past, future in batches:
            self.optimizer.zero_grad()
            self.loss(past, future).backward()
            self.optimizer.step()

    def validate(self, batches):
        self.parts.eval()
        return sum(self.loss(past, future).item() for past, future in batches)


def run(forecaster, batches, held_out):
    for epoch in range(4):
        forecaster.train(batches)
        print(forecaster.validate(held_out))


run(Forecaster(3), load("train"), load("test"))
# === the same in a dictionary
import torch
from torch import nn


class Forecaster:
    def __init__(self, horizon):
        self.rnn = nn.GRU(1, 20, batch_first=True, dropout=0.1, num_layers=2)
        self.proj = nn.Linear(20, horizon)
        self.parts = nn.ModuleDict({'rnn': self.rnn, 'proj': self.proj})
        self.optimizer = torch.optim.Adam(self.parts.parameters(), lr=4e-3)

    def loss(self, past, future):
        _, hidden = self.rnn(past)  # <- validation-without-no-grad
        return nn.functional.mse_loss(self.proj(hidden[-1]), future)

    def train(self, batches):
        self.parts.train()
        for past, future in batches:
            self.optimizer.zero_grad()
            self.loss(past, future).backward()
            self.optimizer.step()

    def validate(self, batches):
        self.parts.eval()
        return sum(self.loss(past, future).item() for past, future in batches)


def run(forecaster, batches, held_out):
    for epoch in range(4):
        forecaster.train(batches)
        print(forecaster.validate(held_out))


run(Forecaster(3), load("train"), load("test"))
# === a list of them that is called a model
import torch
from torch import nn


class Forecaster:
    def __init__(self, horizon):
        self.rnn = nn.GRU(1, 20, batch_first=True, dropout=0.1, num_layers=2)
        self.proj = nn.Linear(20, horizon)
        self.model = nn.ModuleList([self.rnn, self.proj])
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=4e-3)

    def loss(self, past, future):
        _, hidden = self.rnn(past)  # <- validation-without-no-grad
        return nn.functional.mse_loss(self.proj(hidden[-1]), future)

    def train(self, batches):
        self.model.train()
        for past, future in batches:
            self.optimizer.zero_grad()
            self.loss(past, future).backward()
            self.optimizer.step()

    def validate(self, batches):
        self.model.eval()
        return sum(self.loss(past, future).item() for past, future in batches)


def run(forecaster, batches, held_out):
    for epoch in range(4):
        forecaster.train(batches)
        print(forecaster.validate(held_out))


run(Forecaster(3), load("train"), load("test"))
# === beside layers of another list
import torch
from torch import nn


class Forecaster:
    def __init__(self, horizon):
        self.rnn = nn.GRU(1, 20, batch_first=True, dropout=0.1, num_layers=2)
        self.proj = nn.Linear(20, horizon)
        self.enc = nn.Linear(2, 3)
        self.parts = nn.ModuleList([self.rnn, self.proj])
        self.model = nn.ModuleList([self.enc])
        self.optimizer = torch.optim.Adam([*self.parts.parameters(), *self.model.parameters()], lr=4e-3)

    def loss(self, past, future):
        _, hidden = self.rnn(self.enc(past))  # <- validation-without-no-grad
        return nn.functional.mse_loss(self.proj(hidden[-1]), future)

    def train(self, batches):
        self.parts.train()
        for past, future in batches:
            self.optimizer.zero_grad()
            self.loss(past, future).backward()
            self.optimizer.step()

    def validate(self, batches):
        self.parts.eval()
        return sum(self.loss(past, future).item() for past, future in batches)


def run(forecaster, batches, held_out):
    for epoch in range(4):
        forecaster.train(batches)
        print(forecaster.validate(held_out))


run(Forecaster(3), load("train"), load("test"))
# === a list of layers that is never put back
import torch
from torch import nn


class Forecaster:
    def __init__(self, horizon):
        self.rnn = nn.GRU(1, 20, batch_first=True, dropout=0.1, num_layers=2)
        self.proj = nn.Linear(20, horizon)
        self.parts = nn.ModuleList([self.rnn, self.proj])
        self.optimizer = torch.optim.Adam(self.parts.parameters(), lr=4e-3)

    def loss(self, past, future):
        _, hidden = self.rnn(past)
        return nn.functional.mse_loss(self.proj(hidden[-1]), future)

    def train(self, batches):
        for past, future in batches:
            self.optimizer.zero_grad()
            self.loss(past, future).backward()
            self.optimizer.step()

    @torch.no_grad()
    def validate(self, batches):
        self.parts.eval()
        return sum(self.loss(past, future).item() for past, future in batches)


def run(forecaster, batches, held_out):
    for epoch in range(4):
        forecaster.train(batches)
        print(forecaster.validate(held_out))  # <- missing-train-mode


run(Forecaster(3), load("train"), load("test"))
# === right: without gradients
import torch
from torch import nn


class Forecaster:
    def __init__(self, horizon):
        self.rnn = nn.GRU(1, 20, batch_first=True, dropout=0.1, num_layers=2)
        self.proj = nn.Linear(20, horizon)
        self.parts = nn.ModuleList([self.rnn, self.proj])
        self.optimizer = torch.optim.Adam(self.parts.parameters(), lr=4e-3)

    def loss(self, past, future):
        _, hidden = self.rnn(past)
        return nn.functional.mse_loss(self.proj(hidden[-1]), future)

    def train(self, batches):
        self.parts.train()
        for past, future in batches:
            self.optimizer.zero_grad()
            self.loss(past, future).backward()
            self.optimizer.step()

    def validate(self, batches):
        self.parts.eval()
        with torch.no_grad():
            return sum(self.loss(past, future).item() for past, future in batches)


def run(forecaster, batches, held_out):
    for epoch in range(4):
        forecaster.train(batches)
        print(forecaster.validate(held_out))


run(Forecaster(3), load("train"), load("test"))
# === right: without gradients, by a decorator
import torch
from torch import nn


class Forecaster:
    def __init__(self, horizon):
        self.rnn = nn.GRU(1, 20, batch_first=True, dropout=0.1, num_layers=2)
        self.proj = nn.Linear(20, horizon)
        self.parts = nn.ModuleList([self.rnn, self.proj])
        self.optimizer = torch.optim.Adam(self.parts.parameters(), lr=4e-3)

    def loss(self, past, future):
        _, hidden = self.rnn(past)
        return nn.functional.mse_loss(self.proj(hidden[-1]), future)

    def train(self, batches):
        self.parts.train()
        for past, future in batches:
            self.optimizer.zero_grad()
            self.loss(past, future).backward()
            self.optimizer.step()

    @torch.inference_mode()
    def validate(self, batches):
        self.parts.eval()
        return sum(self.loss(past, future).item() for past, future in batches)


def run(forecaster, batches, held_out):
    for epoch in range(4):
        forecaster.train(batches)
        print(forecaster.validate(held_out))


run(Forecaster(3), load("train"), load("test"))
# === right: another list of layers, that is never trained
import torch
from torch import nn


class Forecaster:
    def __init__(self, horizon):
        self.rnn = nn.GRU(1, 20, batch_first=True, dropout=0.1, num_layers=2)
        self.proj = nn.Linear(20, horizon)
        self.teacher = nn.Linear(2, 3)
        self.parts = nn.ModuleList([self.rnn, self.proj])
        self.frozen = nn.ModuleList([self.teacher])
        self.optimizer = torch.optim.Adam(self.parts.parameters(), lr=4e-3)

    def loss(self, past, future):
        _, hidden = self.rnn(past)
        return nn.functional.mse_loss(self.proj(hidden[-1]), future)

    def train(self, batches):
        self.parts.train()
        for past, future in batches:
            self.optimizer.zero_grad()
            self.loss(past, future).backward()
            self.optimizer.step()

    def validate(self, batches):
        self.frozen.eval()
        return sum(self.teacher(past).sum().item() for past, future in batches)


def run(forecaster, batches, held_out):
    for epoch in range(4):
        forecaster.train(batches)
        print(forecaster.validate(held_out))


run(Forecaster(3), load("train"), load("test"))
