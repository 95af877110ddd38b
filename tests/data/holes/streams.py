# === endless while, iterator restarted, undivided
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, max_steps, accum_steps):
    it = iter(loader)
    step = 0
    while True:
        try:
            x, y = next(it)
        except StopIteration:
            it = iter(loader)
            x, y = next(it)
        loss = F.cross_entropy(model(x), y)
        loss.backward()  # <- unscaled-accumulation-loss
        step += 1
        if step % accum_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
        if step >= max_steps:
            break
# === while over steps, loader inside, clip after step
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, max_steps):
    step = 0
    while step < max_steps:
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-after-step
            step += 1
            if step >= max_steps:
                break
# === own cycle, zero in every micro-batch
import torch
import torch.nn.functional as F


def cycle(loader):
    while True:
        for batch in loader:
            yield batch


def train(model, loader, total, accum):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    stream = cycle(loader)
    for step in range(total):
        for _ in range(accum):
            x, y = next(stream)
            optimizer.zero_grad()  # <- zero-grad-in-accumulation
            loss = F.mse_loss(model(x), y) / accum
            loss.backward()
        optimizer.step()
# === itertools.cycle zipped with a range, undivided
from itertools import cycle

import torch
import torch.nn.functional as F


def train(model, loader, optimizer, total, accum):
    for i, (x, y) in zip(range(total), cycle(loader)):
        F.l1_loss(model(x), y).backward()  # <- unscaled-accumulation-loss
        if (i + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
# === enumerate of a cycle, clip per micro-batch
import itertools

import torch


def run(net, data, opt, limit):
    for step, (x, y) in enumerate(itertools.cycle(data)):
        loss = torch.nn.functional.mse_loss(net(x), y) / 4
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)  # <- clip-per-micro-batch
        if (step + 1) % 4 == 0:
            opt.step()
            opt.zero_grad()
        if step >= limit:
            return
# === while with micro steps of its own (nanoGPT), clip scaled
import torch


def train(model, get_batch, max_iters, gradient_accumulation_steps, grad_clip):
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.amp.GradScaler("cuda")
    iter_num = 0
    x, y = get_batch("train")
    while True:
        for micro_step in range(gradient_accumulation_steps):
            with torch.autocast("cuda", dtype=torch.float16):
                logits, loss = model(x, y)
                loss = loss / gradient_accumulation_steps
            x, y = get_batch("train")
            scaler.scale(loss).backward()
        if grad_clip != 0.0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)  # <- clip-scaled-gradients
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)
        iter_num += 1
        if iter_num > max_iters:
            break
# === while count, inner counter, undivided
import torch
import torch.nn.functional as F


def train(model, sampler_fn, optimizer, updates, accum):
    done = 0
    inner = 0
    while done < updates:
        x, y = sampler_fn()
        loss = F.cross_entropy(model(x), y)
        loss.backward()  # <- unscaled-accumulation-loss
        inner += 1
        if inner == accum:
            optimizer.step()
            optimizer.zero_grad()
            inner = 0
            done += 1
# === generator method, scheduler per micro-batch
import torch


class Job:
    def __init__(self, model, loader, accum, updates):
        self.model = model
        self.loader = loader
        self.accum = accum
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=updates)

    def forever(self):
        while True:
            yield from self.loader

    def run(self, total):
        for number, (x, y) in enumerate(self.forever(), start=1):
            loss = torch.nn.functional.mse_loss(self.model(x), y) / self.accum
            loss.backward()
            if number % self.accum == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
            self.scheduler.step()  # <- scheduler-per-micro-batch
            if number == total:
                break
# === right: endless while, divided
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, max_steps, accum_steps):
    it = iter(loader)
    step = 0
    while True:
        try:
            x, y = next(it)
        except StopIteration:
            it = iter(loader)
            x, y = next(it)
        loss = F.cross_entropy(model(x), y) / accum_steps
        loss.backward()
        step += 1
        if step % accum_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
        if step >= max_steps:
            break
# === right: own cycle
import torch
import torch.nn.functional as F


def cycle(loader):
    while True:
        for batch in loader:
            yield batch


def train(model, loader, total, accum):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    stream = cycle(loader)
    for step in range(total):
        optimizer.zero_grad()
        for _ in range(accum):
            x, y = next(stream)
            loss = F.mse_loss(model(x), y) / accum
            loss.backward()
        optimizer.step()
# === right: enumerate of a cycle
import itertools

import torch


def run(net, data, opt, limit):
    for step, (x, y) in enumerate(itertools.cycle(data)):
        loss = torch.nn.functional.mse_loss(net(x), y) / 4
        loss.backward()
        if (step + 1) % 4 == 0:
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            opt.zero_grad()
        if step >= limit:
            return
# === right: own cycle counted by enumerate
import torch


def endless(loader):
    while True:
        yield from loader


def run(net, loader, opt, accum, limit):
    for step, (x, y) in enumerate(endless(loader), 1):
        loss = torch.nn.functional.mse_loss(net(x), y) / accum
        loss.backward()
        if step % accum == 0:
            opt.step()
            opt.zero_grad()
        if step == limit:
            break
# === right: while count, divided
import torch
import torch.nn.functional as F


def train(model, sampler_fn, optimizer, updates, accum):
    done = 0
    inner = 0
    while done < updates:
        x, y = sampler_fn()
        loss = F.cross_entropy(model(x), y)
        (loss / accum).backward()
        inner += 1
        if inner == accum:
            optimizer.step()
            optimizer.zero_grad()
            inner = 0
            done += 1
# === an epoch that ends with its iterator
import torch
import torch.nn.functional as F


def one_epoch(model, loader, optimizer, accum):
    batches = iter(loader)
    count = 0
    while True:
        try:
            x, y = next(batches)
        except StopIteration:
            break
        (F.cross_entropy(model(x), y) / accum).backward()
        count += 1
        if count % accum == 0:  # <- dropped-accumulation-tail
            optimizer.step()
            optimizer.zero_grad()
# === an epoch that ends with a prefetcher
import torch
import torch.nn.functional as F


def one_epoch(model, prefetcher, optimizer, accum):
    count = 0
    batch = prefetcher.next()
    while batch is not None:
        x, y = batch
        (F.cross_entropy(model(x), y) / accum).backward()
        count += 1
        if count % accum == 0:  # <- dropped-accumulation-tail
            optimizer.step()
            optimizer.zero_grad()
        batch = prefetcher.next()
# === a stream in a class
import torch
import torch.nn.functional as F


class Engine:
    def __init__(self, model, loader, config):
        self.model = model
        self.loader = loader
        self.accum = config["accum"]
        self.max_steps = config["max_steps"]
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        self.stream = None

    def next_batch(self):
        if self.stream is None:
            self.stream = iter(self.loader)
        try:
            return next(self.stream)
        except StopIteration:
            self.stream = iter(self.loader)
            return next(self.stream)

    def run(self):
        step = 0
        while step < self.max_steps:
            for _ in range(self.accum):
                x, y = self.next_batch()
                loss = F.cross_entropy(self.model(x), y) / self.accum
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # <- clip-per-micro-batch
            self.optimizer.step()
            self.optimizer.zero_grad()
            step += 1
