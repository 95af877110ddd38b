# === epochs count from one, and the schedule is told so before the first step
import torch


def train(model, criterion, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs, eta_min=1e-6)
    for epoch in range(1, epochs):
        scheduler.step(epoch)  # <- scheduler-before-optimizer
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()


# === an object counts its epochs from one, and tells its schedule
import torch


class Run:
    def __init__(self, model, cfg):
        self.model, self.cfg = model, cfg
        self.optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=0.99)
        self.done = 1

    def train(self, criterion, loader):
        for epoch in range(self.done, self.cfg.epochs + 1, 1):
            self.scheduler.step(epoch=epoch)  # <- scheduler-before-optimizer
            for x, y in loader:
                self.optimizer.zero_grad()
                criterion(self.model(x), y).backward()
                self.optimizer.step()


# === right: epochs count from nought, and the schedule is told its first place first
import torch


def train(model, criterion, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs, eta_min=1e-6)
    for epoch in range(epochs):
        scheduler.step(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()


# === right: epochs count from one, and the schedule from nought
import torch


def train(model, criterion, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs, eta_min=1e-6)
    for epoch in range(1, epochs + 1):
        scheduler.step(epoch - 1)
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()


# === right: epochs count from one, and the schedule is told so behind the steps
import torch


def train(model, criterion, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs, eta_min=1e-6)
    for epoch in range(1, epochs + 1):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        scheduler.step(epoch)


# === right: the rates change at a few epochs, which are counted from one
import torch


def train(model, criterion, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[30, 60], gamma=0.1)
    for epoch in range(1, epochs + 1):
        scheduler.step(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()


# === right: a run that goes on tells the schedule where it stands
import torch


def train(model, criterion, loader, start, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs, eta_min=1e-6)
    for epoch in range(start, epochs):
        scheduler.step(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()


# === right: a plateau is told what was measured
import torch


def train(model, criterion, loader, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
    best = 1
    for epoch in range(1, epochs + 1):
        scheduler.step(best)
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()


# === right: a run that goes on sets the number of epochs, and may have begun long ago
import torch


def train(model, criterion, loader, args):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs, eta_min=1e-6)
    start = 0
    if args.resume:
        start = torch.load(args.resume)["epoch"] + 1
    for epoch in range(start, args.epochs):
        scheduler.step(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()


# === right: what a checkpoint says is where the schedule goes on
import torch


def train(model, criterion, loader, args):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs, eta_min=1e-6)
    start = 0
    if args.resume:
        start = 5
    for epoch in range(start, args.epochs):
        scheduler.step(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
