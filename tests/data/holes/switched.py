# === right: the scaler is off where the optimizer takes no scale
import torch
from torch.amp import GradScaler


class Trainer:
    def __init__(self, model, config):
        self.model = model
        self.config = config
        if config.optimizer == "lbfgs":
            self.optimizer = torch.optim.LBFGS(model.parameters(), lr=config.lr)
        else:
            self.optimizer = torch.optim.Adam(model.parameters(), lr=config.lr)
        self._setup_amp()

    def _setup_amp(self):
        self.use_amp = self.config.amp
        is_adam = isinstance(self.optimizer, torch.optim.Adam)
        if self.use_amp and not is_adam:
            self.use_amp = False
        if self.use_amp:
            self.scaler = GradScaler("cuda", enabled=True)
        else:
            self.scaler = GradScaler("cuda", enabled=False)

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = (self.model(x) - y).square().mean()
        self.scaler.scale(loss).backward()
        if isinstance(self.optimizer, torch.optim.LBFGS):
            def closure():
                return loss
            self.optimizer.step(closure)
        else:
            self.scaler.step(self.optimizer)
            self.scaler.update()

    def train(self, loader):
        for x, y in loader:
            self.step(x, y)
# === the scaler follows a flag, and the optimizer is another question
import torch
from torch.amp import GradScaler


class Trainer:
    def __init__(self, model, config):
        self.model = model
        self.config = config
        if config.optimizer == "lbfgs":
            self.optimizer = torch.optim.LBFGS(model.parameters(), lr=config.lr)
        else:
            self.optimizer = torch.optim.Adam(model.parameters(), lr=config.lr)
        self.scaler = GradScaler("cuda", enabled=config.amp)


    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = (self.model(x) - y).square().mean()
        self.scaler.scale(loss).backward()
        if isinstance(self.optimizer, torch.optim.LBFGS):
            def closure():
                return loss
            self.optimizer.step(closure)  # <- step-bypasses-scaler
        else:
            self.scaler.step(self.optimizer)
            self.scaler.update()

    def train(self, loader):
        for x, y in loader:
            self.step(x, y)
# === right: the kind of an optimizer that was handed over switches the scaler
import torch


def train(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda", enabled=isinstance(optimizer, torch.optim.Adam))
    for x, y in loader:
        optimizer.zero_grad()
        loss = (model(x) - y).square().mean()
        scaler.scale(loss).backward()
        if isinstance(optimizer, torch.optim.LBFGS):
            optimizer.step(lambda: loss)
        else:
            scaler.step(optimizer)
            scaler.update()
# === right: the same question switches the scaler and chooses the step
import torch


def train(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda", enabled=not isinstance(optimizer, torch.optim.LBFGS))
    for x, y in loader:
        optimizer.zero_grad()
        loss = (model(x) - y).square().mean()
        scaler.scale(loss).backward()
        if isinstance(optimizer, torch.optim.LBFGS):
            optimizer.step(lambda: loss)
        else:
            scaler.step(optimizer)
            scaler.update()
# === the kind of an optimizer chooses the step, and the scaler is always on
import torch


def train(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda", enabled=True)
    for x, y in loader:
        optimizer.zero_grad()
        loss = (model(x) - y).square().mean()
        scaler.scale(loss).backward()
        if isinstance(optimizer, torch.optim.LBFGS):
            optimizer.step(lambda: loss)  # <- step-bypasses-scaler
        else:
            scaler.step(optimizer)
            scaler.update()
# === right: one name of the optimizer decides both
import torch
from torch.amp import GradScaler


class Trainer:
    def __init__(self, model, config):
        self.model = model
        self.config = config
        if config.optimizer == "lbfgs":
            self.optimizer = torch.optim.LBFGS(model.parameters(), lr=config.lr)
        else:
            self.optimizer = torch.optim.Adam(model.parameters(), lr=config.lr)
        amp = config.amp and config.optimizer != "lbfgs"
        self.scaler = GradScaler("cuda", enabled=amp)


    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = (self.model(x) - y).square().mean()
        self.scaler.scale(loss).backward()
        if isinstance(self.optimizer, torch.optim.LBFGS):
            def closure():
                return loss
            self.optimizer.step(closure)
        else:
            self.scaler.step(self.optimizer)
            self.scaler.update()

    def train(self, loader):
        for x, y in loader:
            self.step(x, y)
# === a flag that is given up for another reason
import torch
from torch.amp import GradScaler


class Trainer:
    def __init__(self, model, config):
        self.model = model
        self.config = config
        if config.optimizer == "lbfgs":
            self.optimizer = torch.optim.LBFGS(model.parameters(), lr=config.lr)
        else:
            self.optimizer = torch.optim.Adam(model.parameters(), lr=config.lr)
        self._setup_amp()

    def _setup_amp(self):
        self.use_amp = self.config.amp
        if self.use_amp and not torch.cuda.is_available():
            self.use_amp = False
        if self.use_amp:
            self.scaler = GradScaler("cuda", enabled=True)
        else:
            self.scaler = GradScaler("cuda", enabled=False)

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = (self.model(x) - y).square().mean()
        self.scaler.scale(loss).backward()
        if isinstance(self.optimizer, torch.optim.LBFGS):
            def closure():
                return loss
            self.optimizer.step(closure)  # <- step-bypasses-scaler
        else:
            self.scaler.step(self.optimizer)
            self.scaler.update()

    def train(self, loader):
        for x, y in loader:
            self.step(x, y)
