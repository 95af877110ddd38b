# === one kind of schedule moves for each epoch, all others too early
import torch
import torch.nn.functional as F


def train(net, optimizer, scheduler, loader, metric, epochs):
    for epoch in range(epochs):
        if isinstance(scheduler, torch.optim.lr_scheduler.ReduceLROnPlateau):
            scheduler.step(metric.value(), epoch)
        for x, y in loader:
            F.cross_entropy(net(x), y).backward()
            if scheduler is not None and not isinstance(scheduler, torch.optim.lr_scheduler.ReduceLROnPlateau):
                scheduler.step()  # <- scheduler-before-optimizer
            optimizer.step()
            optimizer.zero_grad()
# === right: one kind of schedule moves for each epoch, all others behind the step
import torch
import torch.nn.functional as F


def train(net, optimizer, scheduler, loader, metric, epochs):
    for epoch in range(epochs):
        for x, y in loader:
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
            if scheduler is not None and not isinstance(scheduler, torch.optim.lr_scheduler.ReduceLROnPlateau):
                scheduler.step()
            optimizer.zero_grad()
        if isinstance(scheduler, torch.optim.lr_scheduler.ReduceLROnPlateau):
            scheduler.step(metric.value())
# === a schedule by name, the second too early
import torch
import torch.nn.functional as F


def train(net, optimizer, scheduler, loader, args):
    for epoch in range(args.epochs):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            if args.schedule == "cosine":
                scheduler.step()  # <- scheduler-before-optimizer
            optimizer.step()
        if args.schedule == "steps":
            scheduler.step()
# === right: a schedule by name, for each batch or for each epoch
import torch
import torch.nn.functional as F


def train(net, optimizer, scheduler, loader, args):
    for epoch in range(args.epochs):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
            if args.schedule == "warmup":
                scheduler.step()
        if args.schedule == "steps":
            scheduler.step()
# === a schedule by name, the other way round
import torch
import torch.nn.functional as F


def train(net, optimizer, scheduler, loader, args):
    for epoch in range(args.epochs):
        if args.schedule == "told":
            scheduler.step(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            if args.schedule == "cosine":
                scheduler.step()  # <- scheduler-before-optimizer
            optimizer.step()
# === right: the first rate is 0, and skipped on purpose
import torch
import torch.nn.functional as F


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.4)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda n: min(1.0, n / 4))
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        schedule.step()
        optimizer.step()
# === the first rate is the whole one
import torch
import torch.nn.functional as F


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.4)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda n: 0.9**n)
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        schedule.step()  # <- scheduler-before-optimizer
        optimizer.step()
# === it moves at the head of a function that trains an epoch
import torch
import torch.nn.functional as F


def epoch(model, optimizer, schedule, loader):
    schedule.step()  # <- scheduler-before-optimizer
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
# === right: it catches up where a training goes on, and moves with each step
import torch
import torch.nn.functional as F


def train(model, optimizer, schedule, loader, resumed):
    if resumed and schedule.get_last_lr()[0] != optimizer.param_groups[0]["lr"]:
        schedule.step()
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        schedule.step()
# === right: the first rate is left out, once
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, schedule):
    schedule.step()
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        schedule.step()
# === a schedule that may be none moves at the head of each epoch
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, net, loader, epochs):
        self.net, self.loader, self.epochs = net, loader, epochs
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, 30)

    def _epoch(self, epoch):
        if self.scheduler is not None:
            self.scheduler.step()  # <- scheduler-before-optimizer
        self.net.train()
        for x, y in self.loader:
            self.optimizer.zero_grad()
            F.cross_entropy(self.net(x), y).backward()
            self.optimizer.step()

    def run(self):
        for epoch in range(self.epochs):
            self._epoch(epoch)
# === right: a schedule of the project's own gives the rate that it sets with its first move
import torch.nn.functional as F


def train(net, loader, optimizer, warmup, epochs):
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            rate = warmup.step()
            optimizer.step()
            print(rate)
# === right: a search for a rate, which returns what it has seen
import torch
import torch.nn.functional as F


def run(model, loader, accum=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.StepLR(opt, 1, gamma=1.2)
    lrs, losses = [], []
    for i, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x), y)
        (loss / accum).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
        losses.append(loss.item())
        lrs.append(sched.get_last_lr()[0])
        sched.step()
    return lrs, losses
# === right: a search for a rate by a function that grows
import torch
import torch.nn.functional as F


def run(model, loader, accum=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda turn: 1.3**turn)
    lrs, losses = [], []
    for i, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x), y)
        (loss / accum).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
        losses.append(loss.item())
        lrs.append(sched.get_last_lr()[0])
        sched.step()
    best = min(range(len(losses)), key=losses.__getitem__)
    rate = lrs[best] / 10
    return rate
# === right: a search for a rate between two that are given
import torch
import torch.nn.functional as F


def run(model, loader, low, high, accum=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, (high / low) ** (1 / len(loader)))
    lrs, losses = [], []
    for i, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x), y)
        (loss / accum).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
        losses.append(loss.item())
        record = {"rate": opt.param_groups[0]["lr"], "loss": loss.item()}
        lrs.append(record)
        sched.step()
    return min(lrs, key=lambda one: one["loss"])["rate"]
# === a decay whose rates are noted, and returned as a history
import torch
import torch.nn.functional as F


def run(model, loader, accum=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=len(loader) // accum)
    lrs, losses = [], []
    for i, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x), y)
        (loss / accum).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
        losses.append(loss.item())
        lrs.append(sched.get_last_lr()[0])
        sched.step()  # <- scheduler-per-micro-batch
    return lrs, losses
# === a schedule that grows, and nobody notes its rates
import torch
import torch.nn.functional as F


def run(model, loader, updates, accum=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.StepLR(opt, updates // 50, gamma=1.2)
    lrs, losses = [], []
    for i, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x), y)
        (loss / accum).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
        losses.append(loss.item())
        print(sched.get_last_lr()[0])
        sched.step()  # <- scheduler-per-micro-batch
    return losses
# === right: a rate that is counted from one
import torch
import torch.nn.functional as F


def train(model, loader, turns):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda turn: 1 - (turn - 1) / turns)
    for turn in range(1, turns + 1):
        sched.step()
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(model(x), y).backward()
            opt.step()
# === right: a rate that is counted from one by a function
import math
import torch
import torch.nn.functional as F


def cooled(count):
    done = count - 1
    return 0.5 * (1 + math.cos(math.pi * done / 100))


def train(model, loader, turns):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, cooled)
    for turn in range(1, turns + 1):
        sched.step()
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(model(x), y).backward()
            opt.step()
# === right: rates in a list, the first for turn one
import torch
import torch.nn.functional as F


def train(model, loader, turns):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, [lambda turn: (1.0, 0.5, 0.1)[min(turn - 1, 2)]])
    for turn in range(1, turns + 1):
        sched.step()
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(model(x), y).backward()
            opt.step()
# === right: a rate whose peak is at one
import torch
import torch.nn.functional as F


def train(model, loader, turns):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda turn: 2 / (turn + 1))
    for turn in range(1, turns + 1):
        sched.step()
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(model(x), y).backward()
            opt.step()
# === a plain decay at the head of each turn, counted from one
import torch
import torch.nn.functional as F


def train(model, loader, turns):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda turn: 0.95**turn)
    for turn in range(1, turns + 1):
        sched.step()  # <- scheduler-before-optimizer
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(model(x), y).backward()
            opt.step()
# === a line that goes down at the head of each turn
import torch
import torch.nn.functional as F


def train(model, loader, turns):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda turn: 1 - turn / turns)
    for turn in range(1, turns + 1):
        sched.step()  # <- scheduler-before-optimizer
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(model(x), y).backward()
            opt.step()
# === steps at the head of each turn, counted from one
import torch
import torch.nn.functional as F


def train(model, loader, turns):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.StepLR(opt, 10)
    for turn in range(1, turns + 1):
        sched.step()  # <- scheduler-before-optimizer
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(model(x), y).backward()
            opt.step()
# === half a cosine at the head of each turn, counted from one
import torch
import torch.nn.functional as F


def train(model, loader, turns):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, turns)
    for turn in range(1, turns + 1):
        sched.step()  # <- scheduler-before-optimizer
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(model(x), y).backward()
            opt.step()
# === a warm-up by one more than its count
import torch
import torch.nn.functional as F


def train(model, loader, turns):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda turn: min(1, (turn + 1) / 5))
    for turn in range(1, turns + 1):
        sched.step()  # <- scheduler-before-optimizer
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(model(x), y).backward()
            opt.step()
# === a count that is kept from being nought
import torch
import torch.nn.functional as F


def train(model, loader, turns):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda turn: 1 / max(turn, 1))
    for turn in range(1, turns + 1):
        sched.step()  # <- scheduler-before-optimizer
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(model(x), y).backward()
            opt.step()
# === right: a schedule as long as what a progress bar counts up to
import torch
from tqdm import tqdm


def train(model, stream, args, iters):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=iters * args.epochs)
    for epoch in range(args.epochs):
        for step in tqdm(range(iters), desc="Iters"):
            x, y = next(stream)
            loss = torch.nn.functional.mse_loss(model(x), y) / args.accum
            loss.backward()
            if (step + 1) % args.accum == 0 or step + 1 == iters:
                optimizer.step()
                optimizer.zero_grad()
            sched.step()
# === a schedule as long as the updates behind a progress bar, moved for every micro-batch
import torch
from tqdm import tqdm


def train(model, stream, args, iters):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs * (iters // args.accum))
    for epoch in range(args.epochs):
        for step in tqdm(range(iters), desc="Iters"):
            x, y = next(stream)
            loss = torch.nn.functional.mse_loss(model(x), y) / args.accum
            loss.backward()
            if (step + 1) % args.accum == 0 or step + 1 == iters:
                optimizer.step()
                optimizer.zero_grad()
            sched.step()  # <- scheduler-per-micro-batch
# === right: a schedule as long as what the loop counts up to, whatever that is set to
import torch
from tqdm import tqdm


def train(model, stream, args, lengths):
    iters = sorted(lengths.values())[-1]
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    if args.sched == "plateau":
        sched = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
    else:
        sched = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=iters * args.epochs)
    for epoch in range(args.epochs):
        for step in tqdm(range(iters), desc="Iters"):
            x, y = next(stream)
            loss = torch.nn.functional.mse_loss(model(x), y) / args.accum
            loss.backward()
            if (step + 1) % args.accum == 0 or step + 1 == iters:
                optimizer.step()
                optimizer.zero_grad()
            if "cosine" in args.sched:
                sched.step()
# === right: a schedule whose partial function is as long as all micro-batches
import math
from functools import partial

import torch
import torch.nn.functional as F


def fade(n, total):
    return 1 - n / total


def run(model, loader, epochs, accum=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, partial(fade, total=epochs * len(loader)))
    for _ in range(epochs):
        for i, (x, y) in enumerate(loader, 1):
            (F.mse_loss(model(x), y) / accum).backward()
            sched.step()
            if i % accum == 0 or i == len(loader):
                opt.step()
                opt.zero_grad()
# === a schedule whose partial function is as long as the updates, moved for every micro-batch
import math
from functools import partial

import torch
import torch.nn.functional as F


def fade(n, total):
    return 1 - n / total


def run(model, loader, epochs, accum=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, partial(fade, total=epochs * math.ceil(len(loader) / accum)))
    for _ in range(epochs):
        for i, (x, y) in enumerate(loader, 1):
            (F.mse_loss(model(x), y) / accum).backward()
            sched.step()  # <- scheduler-per-micro-batch
            if i % accum == 0 or i == len(loader):
                opt.step()
                opt.zero_grad()
# === right: a schedule within a warm-up is counted in the batches that the loop is left at
import torch
from torch.optim.lr_scheduler import StepLR
from warmup_scheduler import GradualWarmupScheduler


def train(model, loader, args):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    after = StepLR(optimizer, step_size=args.decay_every * args.steps_per_epoch, gamma=0.5)
    scheduler = GradualWarmupScheduler(optimizer, 1.0, args.warmup, after_scheduler=after)
    for epoch in range(args.epochs):
        for i, (x, y) in enumerate(loader):
            (torch.nn.functional.mse_loss(model(x), y) / args.accum).backward()
            if (i + 1) % args.accum == 0 or i == args.steps_per_epoch - 1:
                optimizer.step()
                optimizer.zero_grad()
            scheduler.step()
            if i == args.steps_per_epoch - 1:
                break
# === a schedule within a warm-up is counted in updates
import torch
from torch.optim.lr_scheduler import StepLR
from warmup_scheduler import GradualWarmupScheduler


def train(model, loader, args):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    after = StepLR(optimizer, step_size=args.decay_updates, gamma=0.5)
    scheduler = GradualWarmupScheduler(optimizer, 1.0, args.warmup, after_scheduler=after)
    for epoch in range(args.epochs):
        for i, (x, y) in enumerate(loader):
            (torch.nn.functional.mse_loss(model(x), y) / args.accum).backward()
            if (i + 1) % args.accum == 0 or i == args.steps_per_epoch - 1:
                optimizer.step()
                optimizer.zero_grad()
            scheduler.step()  # <- scheduler-per-micro-batch
            if i == args.steps_per_epoch - 1:
                break
# === right: a schedule of one's own, in two phases, moves once for each epoch and is no optimizer
import torch
from torch.optim.lr_scheduler import CosineAnnealingLR, LRScheduler


class Warmup(LRScheduler):
    def __init__(self, optimizer, warmup, epochs, last_epoch=-1):
        self.warmup = warmup
        self.cosine = CosineAnnealingLR(optimizer, T_max=epochs - warmup)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch < self.warmup:
            return [rate * self.last_epoch / self.warmup for rate in self.base_lrs]
        return self.cosine.get_lr()

    def step(self, epoch=None):
        if self.last_epoch >= self.warmup:
            self.cosine.step(epoch)
        else:
            super().step(epoch)


def train(net, loader, epochs):
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    scheduler = Warmup(optimizer=optimizer, warmup=5, epochs=epochs)
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
        scheduler.step()
# === a schedule that is made of one of torch's moves before the step
import torch
from torch.optim.lr_scheduler import CosineAnnealingWarmRestarts


class Restarts(CosineAnnealingWarmRestarts):
    def get_lr(self):
        return [0.5 * rate for rate in super().get_lr()]


def train(net, loader, epochs):
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    scheduler = Restarts(optimizer, 10)
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            scheduler.step()  # <- scheduler-before-optimizer
            optimizer.step()
# === the same, of another of torch's
import torch
from torch.optim.lr_scheduler import ExponentialLR


class Decay(ExponentialLR):
    def get_lr(self):
        return [0.5 * rate for rate in super().get_lr()]


def train(net, loader, epochs):
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    scheduler = Decay(optimizer, 0.9)
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            scheduler.step()  # <- scheduler-before-optimizer
            optimizer.step()
# === right: it moves behind the steps
import torch
from torch.optim.lr_scheduler import ExponentialLR


class Decay(ExponentialLR):
    def get_lr(self):
        return [0.5 * rate for rate in super().get_lr()]


def train(net, loader, epochs):
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    scheduler = Decay(optimizer, 0.9)
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        scheduler.step()
# === right: a method that is the schedule is as long as all micro-batches
import math

import torch
import torch.nn.functional as F


class Fit:
    def __init__(self, net, batches, epochs, accum):
        self.net, self.batches, self.epochs, self.accum = net, batches, epochs, accum
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)
        self.span = epochs * len(batches)
        self.rate = torch.optim.lr_scheduler.LambdaLR(self.opt, self.falls)

    def falls(self, seen):
        return 0.5 * (1 + math.cos(math.pi * seen / self.span))

    def run(self):
        for _ in range(self.epochs):
            for i, (x, y) in enumerate(self.batches):
                (F.mse_loss(self.net(x), y) / self.accum).backward()
                if (i + 1) % self.accum == 0 or i + 1 == len(self.batches):
                    self.opt.step()
                    self.opt.zero_grad()
                self.rate.step()
# === right: a function that is the schedule is as long as all micro-batches
import torch
import torch.nn.functional as F

from data import batches, net

EPOCHS, ACCUM = 5, 4
total = EPOCHS * len(batches)


def falls(seen):
    return 1 - seen / total


opt = torch.optim.SGD(net.parameters(), lr=0.1)
rate = torch.optim.lr_scheduler.LambdaLR(opt, falls)
for _ in range(EPOCHS):
    for i, (x, y) in enumerate(batches):
        (F.mse_loss(net(x), y) / ACCUM).backward()
        if (i + 1) % ACCUM == 0 or i + 1 == len(batches):
            opt.step()
            opt.zero_grad()
        rate.step()
# === a method that is the schedule is as long as the updates, moved for every micro-batch
import math

import torch
import torch.nn.functional as F


class Fit:
    def __init__(self, net, batches, epochs, accum):
        self.net, self.batches, self.epochs, self.accum = net, batches, epochs, accum
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)
        self.span = epochs * math.ceil(len(batches) / accum)
        self.rate = torch.optim.lr_scheduler.LambdaLR(self.opt, self.falls)

    def falls(self, seen):
        return 0.5 * (1 + math.cos(math.pi * seen / self.span))

    def run(self):
        for _ in range(self.epochs):
            for i, (x, y) in enumerate(self.batches):
                (F.mse_loss(self.net(x), y) / self.accum).backward()
                if (i + 1) % self.accum == 0 or i + 1 == len(self.batches):
                    self.opt.step()
                    self.opt.zero_grad()
                self.rate.step()  # <- scheduler-per-micro-batch
# === a function that is the schedule is as long as the updates, moved for every micro-batch
import torch
import torch.nn.functional as F

from data import batches, net

EPOCHS, ACCUM = 5, 4
total = EPOCHS * (len(batches) // ACCUM + 1)


def falls(seen):
    return 1 - seen / total


opt = torch.optim.SGD(net.parameters(), lr=0.1)
rate = torch.optim.lr_scheduler.LambdaLR(opt, falls)
for _ in range(EPOCHS):
    for i, (x, y) in enumerate(batches):
        (F.mse_loss(net(x), y) / ACCUM).backward()
        if (i + 1) % ACCUM == 0 or i + 1 == len(batches):
            opt.step()
            opt.zero_grad()
        rate.step()  # <- scheduler-per-micro-batch
# === right: a schedule by name that warms up, whose first rate may be 0
import torch
import torch.nn.functional as F


def train(net, optimizer, scheduler, loader, args):
    for epoch in range(args.epochs):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            if args.schedule == "warmup":
                scheduler.step()
            optimizer.step()
        if args.schedule == "steps":
            scheduler.step()
# === right: a class of one's own warms up from a rate of 0, which is skipped on purpose
import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import LambdaLR


class Ramp(LambdaLR):
    def __init__(self, optimizer, warm, total):
        self.warm, self.total = warm, total
        super(Ramp, self).__init__(optimizer, self.rate)

    def rate(self, move):
        if move < self.warm:
            return move / self.warm
        return max(0.0, (self.total - move) / (self.total - self.warm))


def train(net, loader, total):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    ramp = Ramp(optimizer, 100, total)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        ramp.step()
        optimizer.step()
# === a class of one's own begins with the whole rate
import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import LambdaLR


class Decay(LambdaLR):
    def __init__(self, optimizer, total):
        self.total = total
        super().__init__(optimizer, self.rate)

    def rate(self, move):
        return max(0.0, 1.0 - move / self.total)


def train(net, loader):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    decay = Decay(optimizer, 1000)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        decay.step()  # <- scheduler-before-optimizer
        optimizer.step()
# === it moves since an epoch that lies before all of them
import torch
import torch.nn.functional as F


class Settings:
    decay_from = -1
    epochs = 40


class Fitter:
    def __init__(self, net, loader):
        self.net, self.loader = net, loader
        self.optimizer = torch.optim.Adam(net.parameters(), lr=1e-4)
        self.schedule = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, gamma=0.98)

    def fit(self):
        for epoch in range(Settings.epochs):
            if epoch > Settings.decay_from:
                self.schedule.step()  # <- scheduler-before-optimizer
            self.one_epoch()

    def one_epoch(self):
        for x, y in self.loader:
            self.optimizer.zero_grad()
            F.mse_loss(self.net(x), y).backward()
            self.optimizer.step()
# === right: it moves since the second epoch
import torch
import torch.nn.functional as F


class Settings:
    decay_from = 0
    epochs = 40


def fit(net, loader):
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-4)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.98)
    for epoch in range(Settings.epochs):
        if epoch > Settings.decay_from:
            schedule.step()
        for x, y in loader:
            optimizer.zero_grad()
            F.mse_loss(net(x), y).backward()
            optimizer.step()
# === right: nobody sees since which epoch it moves
import torch
import torch.nn.functional as F


def fit(net, loader, settings):
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-4)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.98)
    for epoch in range(settings.epochs):
        if epoch > settings.decay_from:
            schedule.step()
        for x, y in loader:
            optimizer.zero_grad()
            F.mse_loss(net(x), y).backward()
            optimizer.step()
# === told a figure or nothing, both ahead of the steps
import torch.nn.functional as F


def fit(net, optimizer, scheduler, loader, evaluate, kind, epochs):
    for epoch in range(epochs):
        score = evaluate(net)
        if kind == "plateau":
            scheduler.step(score)
        else:
            scheduler.step()  # <- scheduler-before-optimizer
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
# === right: told a figure or nothing, both behind the steps
import torch.nn.functional as F


def fit(net, optimizer, scheduler, loader, evaluate, kind, epochs):
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        if kind == "plateau":
            scheduler.step(evaluate(net))
        else:
            scheduler.step()
# === right: told a figure or its place, which is that of the first epoch
import torch.nn.functional as F


def fit(net, optimizer, scheduler, loader, evaluate, kind, epochs):
    for epoch in range(epochs):
        if kind == "plateau":
            scheduler.step(evaluate(net))
        else:
            scheduler.step(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
