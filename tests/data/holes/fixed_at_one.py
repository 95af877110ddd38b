"""A window that a class sets to one and that nothing turns is none; one that somebody may turn is a window."""

# === right: nothing sets another window than one
import torch
import torch.nn.functional as F
from accelerate import Accelerator


class Trainer:
    def __init__(self, model, data, steps):
        self.accelerator = Accelerator()
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        self.model, self.optimizer, self.data = self.accelerator.prepare(model, optimizer, data)
        self.steps = steps
        self.accumulate_every = 1

    def train(self):
        for _ in range(self.steps):
            for _ in range(self.accumulate_every):
                x, y = next(self.data)
                loss = F.mse_loss(self.model(x), y) / self.accumulate_every
                self.accelerator.backward(loss)
            self.optimizer.step()
            self.optimizer.zero_grad()
# === a parameter turns it
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, data, steps, accumulate_every):
        self.model, self.data, self.steps = model, data, steps
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        self.accumulate_every = 1
        if accumulate_every:
            self.accumulate_every = accumulate_every

    def train(self):
        for _ in range(self.steps):
            for _ in range(self.accumulate_every):
                x, y = next(self.data)
                loss = F.mse_loss(self.model(x), y)
                loss.backward()  # <- unscaled-accumulation-loss
            self.optimizer.step()
            self.optimizer.zero_grad()
# === a method turns it
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, data, steps):
        self.model, self.data, self.steps = model, data, steps
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        self.accumulate_every = 1

    def accumulate(self, number):
        self.accumulate_every = number
        return self

    def train(self):
        for _ in range(self.steps):
            for _ in range(self.accumulate_every):
                x, y = next(self.data)
                loss = F.mse_loss(self.model(x), y)
                loss.backward()  # <- unscaled-accumulation-loss
            self.optimizer.step()
            self.optimizer.zero_grad()
# === whoever makes it turns it
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, data, steps):
        self.model, self.data, self.steps = model, data, steps
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        self.accumulate_every = 1

    def train(self):
        for _ in range(self.steps):
            for _ in range(self.accumulate_every):
                x, y = next(self.data)
                loss = F.mse_loss(self.model(x), y)
                loss.backward()  # <- unscaled-accumulation-loss
            self.optimizer.step()
            self.optimizer.zero_grad()


def main(model, data):
    trainer = Trainer(model, data, 100)
    trainer.accumulate_every = 4
    trainer.train()
# === right: whatever it is, the loss is divided by it
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, data, steps):
        self.model, self.data, self.steps = model, data, steps
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        self.accumulate_every = 1

    def set(self, **options):
        for name, value in options.items():
            setattr(self, name, value)

    def train(self):
        for _ in range(self.steps):
            for _ in range(self.accumulate_every):
                x, y = next(self.data)
                loss = F.mse_loss(self.model(x), y)
                (loss / self.accumulate_every).backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
# === a function sets attributes by name
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, data, steps):
        self.model, self.data, self.steps = model, data, steps
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        self.accumulate_every = 1

    def set(self, **options):
        for name, value in options.items():
            setattr(self, name, value)

    def train(self):
        for _ in range(self.steps):
            for _ in range(self.accumulate_every):
                x, y = next(self.data)
                loss = F.mse_loss(self.model(x), y)
                loss.backward()  # <- unscaled-accumulation-loss
            self.optimizer.step()
            self.optimizer.zero_grad()
