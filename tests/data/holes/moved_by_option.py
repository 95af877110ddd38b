# === only the rest is lost: an option of whoever made the schedule says that it moves with each batch
import torch.nn.functional as F


def step_of(net, optimizer, accum, per_batch=False, schedule=None):
    count = 0

    def step(batch):
        nonlocal count
        x, y = batch
        (F.cross_entropy(net(x), y) / accum).backward()
        count += 1
        if count % accum == 0:  # <- dropped-accumulation-tail
            optimizer.step()
            optimizer.zero_grad()
        if per_batch:
            schedule.step()

    return step


def train(net, optimizer, loader, accum, per_batch, schedule):
    step = step_of(net, optimizer, accum, per_batch, schedule)
    for batch in loader:
        step(batch)
# === right: so does one beside the loop
import torch.nn.functional as F


def train(net, optimizer, loader, schedule, args):
    for i, (x, y) in enumerate(loader, 1):
        (F.cross_entropy(net(x), y) / args.accum).backward()
        if i % args.accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        if args.schedule_each_batch:
            schedule.step()
# === nobody is asked but whether there is a schedule
import torch
import torch.nn.functional as F


def train(net, optimizer, loader, args):
    schedule = None
    if args.updates is not None:
        schedule = torch.optim.lr_scheduler.LinearLR(optimizer, total_iters=args.updates)
    for i, (x, y) in enumerate(loader, 1):
        (F.cross_entropy(net(x), y) / args.accum).backward()
        if i % args.accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        if schedule is not None:
            schedule.step()  # <- scheduler-per-micro-batch
# === right: nobody is asked but whether there is a schedule, and how long it is nobody knows
import torch.nn.functional as F


def train(net, optimizer, loader, schedule, args):
    for i, (x, y) in enumerate(loader, 1):
        (F.cross_entropy(net(x), y) / args.accum).backward()
        if i % args.accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        if schedule is not None:
            schedule.step()
# === the schedule of the option is made here, as long as the updates
import math

import torch
import torch.nn.functional as F


def train(net, optimizer, loader, args):
    updates = math.ceil(len(loader) / args.accum)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=updates)
    for i, (x, y) in enumerate(loader, 1):
        (F.cross_entropy(net(x), y) / args.accum).backward()
        if i % args.accum == 0 or i == len(loader):
            optimizer.step()
            optimizer.zero_grad()
        if args.schedule_each_batch:
            schedule.step()  # <- scheduler-per-micro-batch
