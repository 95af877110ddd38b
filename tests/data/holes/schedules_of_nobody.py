# === an object that is filled from elsewhere has its schedule from there
import torch


class Trainer:
    def __init__(self, base):
        self.__dict__.update(base.everything())

    def fit(self, loader):
        for i, (x, y) in enumerate(loader):
            loss = torch.nn.functional.mse_loss(self.model(x), y) / self.accum
            loss.backward()
            if (i + 1) % self.accum == 0 or i + 1 == len(loader):
                self.optimizer.step()
                self.optimizer.zero_grad()
            self.scheduler.step()
# === a part of something that sets its schedule elsewhere
import torch


class Fitting:
    def fit(self, loader):
        for i, (x, y) in enumerate(loader):
            loss = torch.nn.functional.mse_loss(self.model(x), y) / self.accum
            loss.backward()
            if (i + 1) % self.accum == 0 or i + 1 == len(loader):
                self.optimizer.step()
                self.optimizer.zero_grad()
            self.scheduler.step()
# === right: an object that is given its schedule
import torch


class Trainer:
    def __init__(self, model, optimizer, scheduler, accum):
        self.model, self.optimizer, self.scheduler, self.accum = model, optimizer, scheduler, accum

    def fit(self, loader):
        for i, (x, y) in enumerate(loader):
            loss = torch.nn.functional.mse_loss(self.model(x), y) / self.accum
            loss.backward()
            if (i + 1) % self.accum == 0 or i + 1 == len(loader):
                self.optimizer.step()
                self.optimizer.zero_grad()
            self.scheduler.step()
# === an object that is given its schedule by who counts updates
import torch


class Trainer:
    def __init__(self, model, optimizer, scheduler, accum):
        self.model, self.optimizer, self.scheduler, self.accum = model, optimizer, scheduler, accum

    def fit(self, loader):
        for i, (x, y) in enumerate(loader):
            loss = torch.nn.functional.mse_loss(self.model(x), y) / self.accum
            loss.backward()
            if (i + 1) % self.accum == 0 or i + 1 == len(loader):
                self.optimizer.step()
                self.optimizer.zero_grad()
            self.scheduler.step()  # <- scheduler-per-micro-batch


def main(model, loader, updates, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=updates)
    Trainer(model, optimizer, scheduler, accum).fit(loader)
# === an object that makes it for so many updates
import torch


class Trainer:
    def __init__(self, base, updates):
        self.__dict__.update(base.everything())
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=updates)

    def fit(self, loader):
        for i, (x, y) in enumerate(loader):
            loss = torch.nn.functional.mse_loss(self.model(x), y) / self.accum
            loss.backward()
            if (i + 1) % self.accum == 0 or i + 1 == len(loader):
                self.optimizer.step()
                self.optimizer.zero_grad()
            self.scheduler.step()  # <- scheduler-per-micro-batch
