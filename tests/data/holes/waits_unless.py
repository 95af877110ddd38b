# === right: an end that nobody can foresee closes a window early
import torch


def train(model, loader, optimizer, args, stops):
    count = 0
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(model(x), y) / args.accum
        loss.backward()
        count += 1
        last = stops(x)
        if not last and count != args.accum:
            continue
        count = 0
        optimizer.step()
        optimizer.zero_grad()
# === right: the same by a modulus
import torch


def train(model, loader, optimizer, args, stops):
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y) / args.accum
        loss.backward()
        last = stops(x)
        if not last and (i + 1) % args.accum:
            continue
        optimizer.step()
        optimizer.zero_grad()
# === right: an updater whose iterator says that its epoch is over
import torch


class Updater(torch.nn.Module):
    def __init__(self, model, batches, optimizer, accum_grad=1):
        super().__init__()
        self.model, self.batches, self.optimizer = model, batches, optimizer
        self.accum_grad = accum_grad
        self.count = 0

    def update_core(self):
        batches = self.batches.held("main")
        epoch = batches.epoch
        x = batches.next()
        over = batches.epoch != epoch
        loss = self.model(x).mean() / self.accum_grad
        loss.backward()
        self.count += 1
        if not over and self.count != self.accum_grad:
            return
        self.count = 0
        self.optimizer.step()
        self.optimizer.zero_grad()

    def update(self):
        self.update_core()
# === a switch that makes each micro-batch an update, whatever it is divided by
import torch


def train(model, loader, optimizer, args):
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y) / args.accum
        loss.backward()  # <- accumulation-divisor-mismatch
        if not args.at_once and (i + 1) % args.accum:
            continue
        optimizer.step()
        optimizer.zero_grad()
# === the end of the loader is foreseen, and nothing is divided
import torch


def train(model, loader, optimizer, args, accum=4):
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum and i + 1 < len(loader):
            continue
        optimizer.step()
        optimizer.zero_grad()
