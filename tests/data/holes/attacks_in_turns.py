# === right: an attack on the weights goes through the same batch in turns
import torch
from torch import nn


def train(cfg, loader, model, criterion, optimizer):
    for step, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        loss.backward()
        for turn in range(cfg.turns):
            attack(model, turn)
            worst = criterion(model(x), y)
            optimizer.zero_grad()
            worst.backward()
        optimizer.step()
        optimizer.zero_grad()


def attack(model, turn):
    for param in model.parameters():
        if param.grad is not None:
            param.data.add_(0.1 * param.grad / (param.grad.norm() + 1e-6))
# === right: an attack on the weights by its words, its turns counted
import torch
from torch import nn


def train(cfg, loader, model, criterion, optimizer):
    for step, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        loss.backward()
        for turn in range(3):
            attack(model, turn)
            worst = criterion(model(inputs=x), y)
            optimizer.zero_grad()
            worst.backward()
        optimizer.step()
        optimizer.zero_grad()


def attack(model, turn):
    for param in model.parameters():
        if param.grad is not None:
            param.data.add_(0.1 * param.grad / (param.grad.norm() + 1e-6))
# === an attack on the weights takes the earlier micro-batches away
import torch
from torch import nn


def train(cfg, loader, model, criterion, optimizer):
    for step, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        (loss / cfg.window).backward()
        for turn in range(cfg.turns):
            attack(model, turn)
            worst = criterion(model(x), y)
            optimizer.zero_grad()  # <- zero-grad-in-accumulation
            worst.backward()
        if (step + 1) % cfg.window == 0 or step + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


def attack(model, turn):
    for param in model.parameters():
        if param.grad is not None:
            param.data.add_(0.1 * param.grad / (param.grad.norm() + 1e-6))
# === parts of a batch that are counted are micro-batches, though each clears
def train(model, loader, criterion, optimizer, chunks):
    for x, y in loader:
        for i in range(chunks):
            out = model(x[i::chunks])
            optimizer.zero_grad()  # <- zero-grad-in-accumulation
            (criterion(out, y[i::chunks]) / chunks).backward()
        optimizer.step()
# === a batch that is all the data, and a step in a helper: turns of a training
import torch
from torch import nn


def advance(optimizer):
    optimizer.step()


def fit(model, x, y, steps):
    optimizer = torch.optim.Adam(model.parameters())
    total = 0
    for it in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        advance(optimizer)
        total += loss  # <- loss-graph-leak
    print(total / steps)
# === right: a batch that is all the data, and a step in a helper
import torch
from torch import nn


def advance(optimizer):
    optimizer.step()


def fit(model, x, y, steps):
    optimizer = torch.optim.Adam(model.parameters())
    total = 0
    for it in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        advance(optimizer)
        total += loss.item()
    print(total / steps)
# === right: turns of an attack in the step of a Lightning module
import lightning
from torch import nn


class Net(lightning.LightningModule):
    def __init__(self, cfg):
        super().__init__()
        self.automatic_optimization = False
        self.net, self.loss, self.cfg = nn.Linear(3, 1), nn.MSELoss(), cfg

    def forward(self, x):
        return self.net(x)

    def training_step(self, batch, batch_idx):
        x, y = batch
        opt = self.optimizers()
        self.manual_backward(self.loss(self.forward(x), y))
        if self.current_epoch >= self.cfg.start:
            for _ in range(self.cfg.turns):
                self.worsen()
                worst = self.loss(self.forward(x), y)
                opt.zero_grad()
                self.manual_backward(worst)
            self.restore()
        opt.step()
        opt.zero_grad()

    def worsen(self):
        for param in self.net.parameters():
            if param.grad is not None:
                param.data.add_(0.1 * param.grad / (param.grad.norm() + 1e-6))
# === parts of a batch in the step of a Lightning module, each of which clears
import lightning
from torch import nn


class Net(lightning.LightningModule):
    def __init__(self, cfg):
        super().__init__()
        self.automatic_optimization = False
        self.net, self.loss, self.cfg = nn.Linear(3, 1), nn.MSELoss(), cfg

    def forward(self, x):
        return self.net(x)

    def training_step(self, batch, batch_idx):
        x, y = batch
        opt = self.optimizers()
        for part, goal in zip(x.chunk(4), y.chunk(4)):
            opt.zero_grad()  # <- zero-grad-in-accumulation
            self.manual_backward(self.loss(self.forward(part), goal) / 4)
        opt.step()
        opt.zero_grad()
