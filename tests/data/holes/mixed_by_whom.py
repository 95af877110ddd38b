# === what mixes a batch is nothing that trains in a loop
import torch
from torch.nn.parallel import DistributedDataParallel


class Fitter:
    def __call__(self, samples, targets):
        for part in samples:
            part.loss().backward()
            self.optimizer.step()
            self.optimizer.zero_grad()


class Scaler:
    def __init__(self):
        self._scaler = torch.cuda.amp.GradScaler()

    def __call__(self, loss, optimizer, parameters=None, update_grad=True):
        self._scaler.scale(loss).backward()
        if update_grad:
            self._scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            self._scaler.step(optimizer)
            self._scaler.update()


def train_one_epoch(config, model, criterion, data_loader, optimizer, mixup_fn, loss_scaler):
    model.train()
    optimizer.zero_grad()
    for idx, (samples, targets) in enumerate(data_loader):
        if mixup_fn is not None:
            samples, targets = mixup_fn(samples, targets)
        with torch.cuda.amp.autocast():
            outputs = model(samples)
        loss = criterion(outputs, targets)
        loss_scaler(  # <- unscaled-accumulation-loss
            loss,
            optimizer,
            parameters=model.parameters(),
            update_grad=(idx + 1) % config.ACCUM == 0,
        )
        if (idx + 1) % config.ACCUM == 0:
            optimizer.zero_grad()
# === right: the same, divided
import torch
from torch.nn.parallel import DistributedDataParallel


class Fitter:
    def __call__(self, samples, targets):
        for part in samples:
            part.loss().backward()
            self.optimizer.step()
            self.optimizer.zero_grad()


class Scaler:
    def __init__(self):
        self._scaler = torch.cuda.amp.GradScaler()

    def __call__(self, loss, optimizer, parameters=None, update_grad=True):
        self._scaler.scale(loss).backward()
        if update_grad:
            self._scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            self._scaler.step(optimizer)
            self._scaler.update()


def train_one_epoch(config, model, criterion, data_loader, optimizer, mixup_fn, loss_scaler):
    model.train()
    optimizer.zero_grad()
    for idx, (samples, targets) in enumerate(data_loader):
        if mixup_fn is not None:
            samples, targets = mixup_fn(samples, targets)
        with torch.cuda.amp.autocast():
            outputs = model(samples)
        loss = criterion(outputs, targets) / config.ACCUM
        loss_scaler(
            loss,
            optimizer,
            parameters=model.parameters(),
            update_grad=(idx + 1) % config.ACCUM == 0,
        )
        if (idx + 1) % config.ACCUM == 0:
            optimizer.zero_grad()
# === right: an epoch is an object that is called
import torch


class Epoch:
    def __init__(self, net, loader):
        self.net, self.loader = net, loader
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)

    def __call__(self, number):
        for x, y in self.loader:
            self.opt.zero_grad()
            torch.nn.functional.mse_loss(self.net(x), y).backward()
            self.opt.step()


def fit(run, epochs):
    for epoch in range(epochs):
        run(epoch)
