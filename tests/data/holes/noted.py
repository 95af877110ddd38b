# === right: the mode is noted, and put back behind the training
import torch
import torch.nn.functional as F


class Policy:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters())

    def step(self, x, y):
        was_training = self.model.training
        self.model.eval()
        with torch.no_grad():
            before = self.model(x)
        loss = F.mse_loss(self.model(x), y + before)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.model.train(was_training)


def main(model, batches):
    policy = Policy(model)
    for x, y in batches:
        policy.step(x, y)
# === right: the same, asked for in `finally`
import torch
import torch.nn.functional as F


class Policy:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters())

    def step(self, x, y):
        mode = self.model.training
        self.model.eval()
        try:
            with torch.no_grad():
                before = self.model(x)
            loss = F.mse_loss(self.model(x), y + before)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        finally:
            if mode:
                self.model.train()


def main(model, batches):
    policy = Policy(model)
    for x, y in batches:
        policy.step(x, y)
# === the mode is noted, and nothing puts it back
import torch
import torch.nn.functional as F


class Policy:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters())

    def step(self, x, y):
        loss = F.mse_loss(self.model(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        was_training = self.model.training
        self.model.eval()  # <- missing-train-mode
        with torch.no_grad():
            print(was_training, F.mse_loss(self.model(x), y).item())


def main(model, batches):
    policy = Policy(model)
    for x, y in batches:
        policy.step(x, y)
# === the mode that was noted is put back, but only when the batches have gone by
import torch
import torch.nn.functional as F


def fit(model, loader, held):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        was_training = model.training
        for i, (x, y) in enumerate(loader):
            optimizer.zero_grad()
            F.mse_loss(model(x), y).backward()
            optimizer.step()
            if i % 100 == 0:
                model.eval()  # <- missing-train-mode
                with torch.no_grad():
                    for u, v in held:
                        print(F.mse_loss(model(u), v).item())
        model.train(was_training)
# === train() behind the training, and nothing was noted
import torch
import torch.nn.functional as F


def fit(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        model.eval()  # <- missing-train-mode
        with torch.no_grad():
            before = model(x)
        optimizer.zero_grad()
        F.mse_loss(model(x), y + before).backward()
        optimizer.step()
        model.train()
