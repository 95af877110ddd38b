# === staticmethod with an explicit self, undivided
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, accum):
        self.model = model
        self.accum = accum
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    @staticmethod
    def fit(self, loader):
        for i, (x, y) in enumerate(loader):
            F.cross_entropy(self.model(x), y).backward()  # <- unscaled-accumulation-loss
            if (i + 1) % self.accum == 0 or i + 1 == len(loader):
                self.optimizer.step()
                self.optimizer.zero_grad()
# === called by its class with the object
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    @staticmethod
    def _clip(self, limit):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), limit)

    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            F.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()
            Trainer._clip(self, 1.0)  # <- clip-after-step
# === plain method called through the class
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model):
        self.model = model
        self.scaler = torch.amp.GradScaler("cuda")
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def _backward(self, loss):
        self.scaler.scale(loss).backward()

    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            Trainer._backward(self, F.cross_entropy(self.model(x), y))
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # <- clip-scaled-gradients
            self.scaler.step(self.optimizer)
            self.scaler.update()
# === a function under another name of the object
import torch
import torch.nn.functional as F


class State:
    def __init__(self, model, accum):
        self.model = model
        self.accum = accum
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    @staticmethod
    def run(state, loader):
        for i, (x, y) in enumerate(loader):
            state.optimizer.zero_grad()  # <- zero-grad-in-accumulation
            (F.cross_entropy(state.model(x), y) / state.accum).backward()
            if (i + 1) % state.accum == 0 or i + 1 == len(loader):
                state.optimizer.step()


def main(model, loader):
    state = State(model, 4)
    for epoch in range(3):
        State.run(state, loader)
# === classmethod that makes and trains
import torch
import torch.nn.functional as F


class Job:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters())

    @classmethod
    def launch(cls, model, loader):
        job = cls(model)
        for x, y in loader:
            job.optimizer.zero_grad()
            F.mse_loss(job.model(x), y).backward()
            job.optimizer.step()
            torch.nn.utils.clip_grad_norm_(job.model.parameters(), 1.0)  # <- clip-after-step
        return job
# === right: staticmethod with an explicit self
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, accum):
        self.model = model
        self.accum = accum
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    @staticmethod
    def fit(self, loader):
        for i, (x, y) in enumerate(loader):
            (F.cross_entropy(self.model(x), y) / self.accum).backward()
            if (i + 1) % self.accum == 0 or i + 1 == len(loader):
                self.optimizer.step()
                self.optimizer.zero_grad()
# === right: called by its class with the object
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    @staticmethod
    def _clip(self, limit):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), limit)

    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            F.cross_entropy(self.model(x), y).backward()
            Trainer._clip(self, 1.0)
            self.optimizer.step()
