# === a window in words, the loss a mean all the same
import torch.nn.functional as F


def train(model, loader, optimizer, words_per_update):
    words = 0
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        loss.backward()  # <- unscaled-accumulation-loss
        words += y.size(0)
        if words >= words_per_update:  # <- dropped-accumulation-tail
            optimizer.step()
            optimizer.zero_grad()
            words = 0
# === a window in batches, a criterion of torch's older spelling
import torch
from torch import nn


class Trainer:
    def __init__(self, net, accum):
        self.net, self.accum = net, accum
        self.loss_function = nn.MSELoss(size_average=True)
        self.optim = torch.optim.Adam(net.parameters(), lr=1e-3)

    def fit(self, loader):
        for i, (x, y) in enumerate(loader):
            loss = self.loss_function(self.net(x), y)
            loss.backward()  # <- unscaled-accumulation-loss
            if (i + 1) % self.accum == 0 or i + 1 == len(loader):
                self.optim.step()
                self.optim.zero_grad()
# === a window in batches, the loss from out of sight
def train(model, loader, optimizer, loss_function, accum):
    for i, (x, y) in enumerate(loader):
        loss = loss_function(model(x), y)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: a window in words, the loss from out of sight, the optimizer told by how many to divide
class Trainer:
    def __init__(self, net, loss_function, optim, opt):
        self.net, self.loss_function, self.optim, self.opt = net, loss_function, optim, opt

    def epoch(self, data):
        self.net.zero_grad()
        words = 0
        for i in range(len(data)):
            batch = data.next()[0]
            targets, outputs = self.net(batch)
            loss = self.loss_function(outputs, targets.data)
            loss.backward()
            words += targets.size(0)
            if words >= self.opt.batch_size_update * 0.95:
                self.optim.step(grad_denom=words if self.opt.normalize else 1)
                self.net.zero_grad()
                words = 0
# === right: a window in batches, whose optimizer is told by how many to divide
def train(model, loader, optimizer, loss_function, accum):
    for i, (x, y) in enumerate(loader):
        loss = loss_function(model(x), y)
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step(grad_denom=accum)
            optimizer.zero_grad()
# === right: a sum in the old spelling, held by an attribute
import torch
from torch import nn


class Trainer:
    def __init__(self, net, accum):
        self.net, self.accum = net, accum
        self.loss_function = nn.MSELoss(size_average=False)
        self.optim = torch.optim.Adam(net.parameters(), lr=1e-3)

    def fit(self, loader):
        for i, (x, y) in enumerate(loader):
            loss = self.loss_function(self.net(x), y)
            loss.backward()
            if (i + 1) % self.accum == 0 or i + 1 == len(loader):
                self.optim.step()
                self.optim.zero_grad()
# === right: a sum in the old spelling, by place
import torch
from torch import nn


def train(model, loader, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.MSELoss(False)
    for i, (x, y) in enumerate(loader):
        criterion(model(x), y).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === right: a sum in the old spelling, by a function
import torch
import torch.nn.functional as F


def train(model, loader, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss = F.nll_loss(model(x), y, size_average=False)
        loss.backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a switch by place that says nothing of the mean
import torch
from torch import nn


def train(model, loader, accum):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.PoissonNLLLoss(False)
    for i, (x, y) in enumerate(loader):
        criterion(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
