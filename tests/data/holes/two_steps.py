# === a function that clears once and steps twice, in no loop of this file
import torch


class Learner:
    def fit_one(self, x, y):
        self.opt.zero_grad()
        loss = torch.nn.functional.mse_loss(self.net(x), y)
        loss.backward()
        self.opt.step()
        extra = self.net(x).square().mean()
        extra.backward()
        self.opt.step()  # <- missing-zero-grad
        return loss.item() + extra.item()
# === right: cleared before each of the two
import torch


class Learner:
    def fit_one(self, x, y):
        self.opt.zero_grad()
        loss = torch.nn.functional.mse_loss(self.net(x), y)
        loss.backward()
        self.opt.step()
        self.opt.zero_grad()
        extra = self.net(x).square().mean()
        extra.backward()
        self.opt.step()
        return loss.item() + extra.item()
# === right: one step for both losses
import torch


class Learner:
    def fit_one(self, x, y):
        self.opt.zero_grad()
        loss = torch.nn.functional.mse_loss(self.net(x), y)
        loss.backward()
        extra = self.net(x).square().mean()
        extra.backward()
        self.opt.step()
        return loss.item() + extra.item()
# === right: each function steps once, and its caller may clear in between
import torch


class Learner:
    def first(self, x, y):
        self.opt.zero_grad()
        loss = torch.nn.functional.mse_loss(self.net(x), y)
        loss.backward()
        self.opt.step()

    def second(self, x):
        extra = self.net(x).square().mean()
        extra.backward()
        self.opt.step()
# === right: two optimizers, each steps once
import torch


class Learner:
    def fit_one(self, x, z):
        self.opt_d.zero_grad()
        loss = -self.critic(x).mean() + self.critic(self.maker(z).detach()).mean()
        loss.backward()
        self.opt_d.step()
        self.opt_g.zero_grad()
        extra = -self.critic(self.maker(z)).mean()
        extra.backward()
        self.opt_g.step()
# === under a scaler, on one of two ways
import torch


class Learner:
    def fit_one(self, x, y, with_extra):
        self.opt.zero_grad()
        with torch.autocast("cuda"):
            loss = torch.nn.functional.mse_loss(self.net(x), y)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt)
        self.scaler.update()
        if with_extra:
            with torch.autocast("cuda"):
                extra = self.net(x).square().mean()
            self.scaler.scale(extra).backward()
            self.scaler.step(self.opt)  # <- missing-zero-grad
            self.scaler.update()
        return loss.item()
# === what a builder of another file makes is cleared now and then, and steps for every batch
import torch
from project.optim import build_optimizer


def train(model, loader, accum=4):
    optimizer = build_optimizer(model)
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()  # <- missing-zero-grad
        if (i + 1) % accum == 0:
            optimizer.zero_grad()
# === right: what a builder of another file makes may clear by itself
import torch
from project.optim import build_optimizer


def pretrain(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def train(model, loader):
    tuned = build_optimizer(model)
    for x, y in loader:
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        tuned.step()
# === right: what a builder makes is cleared and stepped once a window
import torch
from project.optim import build_optimizer


def train(model, loader, accum=4):
    optimizer = build_optimizer(model)
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.cross_entropy(model(x), y) / accum
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
