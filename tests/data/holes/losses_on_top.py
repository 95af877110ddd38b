# === right: a loss on top of what is computed without gradients
import torch
from torch import nn


class Trainer:
    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: nn.Module, train_loader, valid_loader):
        self.model = model
        self.optimizer = optimizer
        self.loss_fn = loss_fn
        self.train_loader = train_loader
        self.valid_loader = valid_loader

    @torch.no_grad()
    def predict(self, x):
        return self.model(x)

    def valid_step(self, x, y):
        logits = self.predict(x)
        return self.loss_fn(logits, y).item()

    def validate(self):
        self.model.eval()
        total = 0.0
        for x, y in self.valid_loader:
            total += self.valid_step(x, y)
        self.model.train()
        return total

    def fit(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            for x, y in self.train_loader:
                self.optimizer.zero_grad()
                loss = self.loss_fn(self.model(x), y)
                loss.backward()
                self.optimizer.step()
            print(self.validate())
# === right: a loss that is called `objective`
import torch
from torch import nn


class Trainer:
    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer, objective: nn.Module, train_loader, valid_loader):
        self.model = model
        self.optimizer = optimizer
        self.objective = objective
        self.train_loader = train_loader
        self.valid_loader = valid_loader

    @torch.no_grad()
    def predict(self, x):
        return self.model(x)

    def valid_step(self, x, y):
        logits = self.predict(x)
        return self.objective(logits, y).item()

    def validate(self):
        self.model.eval()
        total = 0.0
        for x, y in self.valid_loader:
            total += self.valid_step(x, y)
        self.model.train()
        return total

    def fit(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            for x, y in self.train_loader:
                self.optimizer.zero_grad()
                loss = self.objective(self.model(x), y)
                loss.backward()
                self.optimizer.step()
            print(self.validate())
# === right: a loss written by hand
import torch
from torch import nn


class DiceLoss(nn.Module):
    def forward(self, logits, y):
        p = logits.sigmoid()
        return 1 - 2 * (p * y).sum() / (p + y).sum()


class Trainer:
    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer, train_loader, valid_loader):
        self.model = model
        self.optimizer = optimizer
        self.loss_fn = DiceLoss()
        self.train_loader = train_loader
        self.valid_loader = valid_loader

    @torch.no_grad()
    def predict(self, x):
        return self.model(x)

    def valid_step(self, x, y):
        logits = self.predict(x)
        return self.loss_fn(logits, y).item()

    def validate(self):
        self.model.eval()
        total = 0.0
        for x, y in self.valid_loader:
            total += self.valid_step(x, y)
        self.model.train()
        return total

    def fit(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            for x, y in self.train_loader:
                self.optimizer.zero_grad()
                loss = self.loss_fn(self.model(x), y)
                loss.backward()
                self.optimizer.step()
            print(self.validate())
# === right: a loss written by hand, of another one
import torch
from torch import nn


class DiceLoss(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.eps = eps
        self.bce = nn.BCEWithLogitsLoss()

    def forward(self, logits, y):
        p = logits.sigmoid()
        return 1 - 2 * (p * y).sum() / (p + y).sum()


class Trainer:
    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer, train_loader, valid_loader):
        self.model = model
        self.optimizer = optimizer
        self.loss_fn = DiceLoss(1e-3)
        self.train_loader = train_loader
        self.valid_loader = valid_loader

    @torch.no_grad()
    def predict(self, x):
        return self.model(x)

    def valid_step(self, x, y):
        logits = self.predict(x)
        return self.loss_fn(logits, y).item()

    def validate(self):
        self.model.eval()
        total = 0.0
        for x, y in self.valid_loader:
            total += self.valid_step(x, y)
        self.model.train()
        return total

    def fit(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            for x, y in self.train_loader:
                self.optimizer.zero_grad()
                loss = self.loss_fn(self.model(x), y)
                loss.backward()
                self.optimizer.step()
            print(self.validate())
# === a head on top
import torch
from torch import nn


class Trainer:
    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer, head: nn.Module, train_loader, valid_loader):
        self.model = model
        self.optimizer = optimizer
        self.head = head
        self.train_loader = train_loader
        self.valid_loader = valid_loader

    @torch.no_grad()
    def predict(self, x):
        return self.model(x)

    def valid_step(self, x, y):
        logits = self.predict(x)
        return nn.functional.mse_loss(self.head(logits), y).item()  # <- validation-without-no-grad

    def validate(self):
        self.model.eval()
        total = 0.0
        for x, y in self.valid_loader:
            total += self.valid_step(x, y)
        self.model.train()
        return total

    def fit(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            for x, y in self.train_loader:
                self.optimizer.zero_grad()
                loss = nn.functional.mse_loss(self.head(self.model(x)), y)
                loss.backward()
                self.optimizer.step()
            print(self.validate())
# === a loss whose parameters are trained
import torch
from torch import nn


class Trainer:
    def __init__(self, model: nn.Module, loss_fn: nn.Module, train_loader, valid_loader):
        self.model = model
        self.optimizer = torch.optim.SGD([*model.parameters(), *loss_fn.parameters()], 0.1)
        self.loss_fn = loss_fn
        self.train_loader = train_loader
        self.valid_loader = valid_loader

    @torch.no_grad()
    def predict(self, x):
        return self.model(x)

    def valid_step(self, x, y):
        logits = self.predict(x)
        return self.loss_fn(logits, y).item()  # <- validation-without-no-grad

    def validate(self):
        self.model.eval()
        total = 0.0
        for x, y in self.valid_loader:
            total += self.valid_step(x, y)
        self.model.train()
        return total

    def fit(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            for x, y in self.train_loader:
                self.optimizer.zero_grad()
                loss = self.loss_fn(self.model(x), y)
                loss.backward()
                self.optimizer.step()
            print(self.validate())
# === a loss written by hand, with parameters
import torch
from torch import nn


class ArcLoss(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(classes, width))

    def forward(self, logits, y):
        return nn.functional.cross_entropy(logits @ self.weight.T, y)


class Trainer:
    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer, train_loader, valid_loader):
        self.model = model
        self.optimizer = optimizer
        self.loss_fn = ArcLoss(5, 6)
        self.optimizer.add_param_group({'params': self.loss_fn.parameters()})
        self.train_loader = train_loader
        self.valid_loader = valid_loader

    @torch.no_grad()
    def predict(self, x):
        return self.model(x)

    def valid_step(self, x, y):
        logits = self.predict(x)
        return self.loss_fn(logits, y).item()  # <- validation-without-no-grad

    def validate(self):
        self.model.eval()
        total = 0.0
        for x, y in self.valid_loader:
            total += self.valid_step(x, y)
        self.model.train()
        return total

    def fit(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            for x, y in self.train_loader:
                self.optimizer.zero_grad()
                loss = self.loss_fn(self.model(x), y)
                loss.backward()
                self.optimizer.step()
            print(self.validate())
# === a loss written by hand, around a network
import torch
from torch import nn


class DiceLoss(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, logits, y):
        logits = self.net(logits)
        p = logits.sigmoid()
        return 1 - 2 * (p * y).sum() / (p + y).sum()


class Trainer:
    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer, train_loader, valid_loader):
        self.model = model
        self.optimizer = optimizer
        self.loss_fn = DiceLoss(make())
        self.train_loader = train_loader
        self.valid_loader = valid_loader

    @torch.no_grad()
    def predict(self, x):
        return self.model(x)

    def valid_step(self, x, y):
        logits = self.predict(x)
        return self.loss_fn(logits, y).item()  # <- validation-without-no-grad

    def validate(self):
        self.model.eval()
        total = 0.0
        for x, y in self.valid_loader:
            total += self.valid_step(x, y)
        self.model.train()
        return total

    def fit(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            for x, y in self.train_loader:
                self.optimizer.zero_grad()
                loss = self.loss_fn(self.model(x), y)
                loss.backward()
                self.optimizer.step()
            print(self.validate())
# === a loss of a class that nobody sees
import torch
from torch import nn


class DiceLoss(mylib.Learned):
    def forward(self, logits, y):
        p = logits.sigmoid()
        return 1 - 2 * (p * y).sum() / (p + y).sum()


class Trainer:
    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer, train_loader, valid_loader):
        self.model = model
        self.optimizer = optimizer
        self.loss_fn = DiceLoss()
        self.train_loader = train_loader
        self.valid_loader = valid_loader

    @torch.no_grad()
    def predict(self, x):
        return self.model(x)

    def valid_step(self, x, y):
        logits = self.predict(x)
        return self.loss_fn(logits, y).item()  # <- validation-without-no-grad

    def validate(self):
        self.model.eval()
        total = 0.0
        for x, y in self.valid_loader:
            total += self.valid_step(x, y)
        self.model.train()
        return total

    def fit(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            for x, y in self.train_loader:
                self.optimizer.zero_grad()
                loss = self.loss_fn(self.model(x), y)
                loss.backward()
                self.optimizer.step()
            print(self.validate())
# === the network keeps the graph, not the loss
import torch
from torch import nn


class Trainer:
    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer, loss_fn: nn.Module, train_loader, valid_loader):
        self.model = model
        self.optimizer = optimizer
        self.loss_fn = loss_fn
        self.train_loader = train_loader
        self.valid_loader = valid_loader

    def predict(self, x):
        return self.model(x)  # <- validation-without-no-grad

    def valid_step(self, x, y):
        logits = self.predict(x)
        return self.loss_fn(logits, y).item()

    def validate(self):
        self.model.eval()
        total = 0.0
        for x, y in self.valid_loader:
            total += self.valid_step(x, y)
        self.model.train()
        return total

    def fit(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            for x, y in self.train_loader:
                self.optimizer.zero_grad()
                loss = self.loss_fn(self.model(x), y)
                loss.backward()
                self.optimizer.step()
            print(self.validate())
