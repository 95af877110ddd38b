# === an object that can be called is the closure of a step, and never clears
import torch
from torch import nn


class Fit:
    def __init__(self, net, points):
        self.net, self.points = net, points
        self.solver = torch.optim.LBFGS(net.parameters(), max_iter=3)

    def __call__(self):
        loss = sum(nn.functional.mse_loss(self.net(x), y) for x, y in self.points)
        loss.backward()
        return loss


def main(points):
    fit = Fit(nn.Linear(3, 1), points)
    for _ in range(9):
        fit.solver.step(fit)  # <- missing-zero-grad
# === it clears
import torch
from torch import nn


class Fit:
    def __init__(self, net, points):
        self.net, self.points = net, points
        self.solver = torch.optim.LBFGS(net.parameters(), max_iter=3)

    def __call__(self):
        self.solver.zero_grad()
        loss = sum(nn.functional.mse_loss(self.net(x), y) for x, y in self.points)
        loss.backward()
        return loss


def main(points):
    fit = Fit(nn.Linear(3, 1), points)
    for _ in range(9):
        fit.solver.step(fit)
# === it hands itself over, clips too late, and is named
import torch
from torch import nn


class Base:
    def __call__(self):
        self.opt.zero_grad()
        loss = self.net(self.x).mean()
        loss.backward()
        return loss


class Fit(Base):
    def __init__(self, x):
        self.net, self.x = nn.Linear(3, 1), x
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def run(self):
        for _ in range(9):
            self.opt.step(closure=self)
            nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)  # <- clip-after-step
# === what an object leaves is cleared in front of the next window
import torch
from torch import nn


class Fit:
    def __init__(self, net, points):
        self.net, self.points = net, points
        self.solver = torch.optim.LBFGS(net.parameters(), max_iter=3)
        self.polish = torch.optim.SGD(net.parameters(), lr=0.1)

    def __call__(self):
        self.solver.zero_grad()
        loss = sum(nn.functional.mse_loss(self.net(x), y) for x, y in self.points)
        loss.backward()
        return loss

    def refine(self):
        for _ in range(4):
            self.polish.zero_grad()
            for x, y in self.points:
                (nn.functional.l1_loss(self.net(x), y) / len(self.points)).backward()
            self.polish.step()


def main(points):
    fit = Fit(nn.Linear(3, 1), points)
    for _ in range(9):
        fit.solver.step(fit)
    fit.refine()
# === a closure that nobody sees may clear
import torch
from torch import nn


def fit(net, points, closure):
    solver = torch.optim.LBFGS(net.parameters())
    polish = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(5):
        polish.zero_grad()
        nn.functional.mse_loss(net(points[0]), points[1]).backward()
        polish.step()
        solver.step(closure)
# === a closure that nobody sees is no clear for another optimizer in its loop
import torch
from torch import nn


def fit(net, points, closure):
    solver = torch.optim.LBFGS(net.parameters())
    polish = torch.optim.SGD(net.parameters(), lr=0.1)
    solver.step(closure)
    for _ in range(5):
        nn.functional.mse_loss(net(points[0]), points[1]).backward()
        polish.step()  # <- missing-zero-grad
# === a scaler is given an object
import torch
from torch import nn


class Fit:
    def __init__(self, x):
        self.net, self.x = nn.Linear(3, 1), x
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler()

    def __call__(self):
        self.opt.zero_grad()
        loss = self.net(self.x).mean()
        self.scaler.scale(loss).backward()
        return loss

    def run(self):
        for _ in range(9):
            self.scaler.step(self.opt, self)
            self.scaler.update()
