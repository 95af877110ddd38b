# === autocast through an alias, backward inside
import torch
import torch.nn.functional as F

amp = torch.cuda.amp.autocast


def train(model, loader, optimizer):
    scaler = torch.cuda.amp.GradScaler()
    for x, y in loader:
        optimizer.zero_grad()
        with amp():
            loss = F.cross_entropy(model(x), y)
            scaler.scale(loss).backward()  # <- backward-in-autocast
        scaler.step(optimizer)
        scaler.update()
# === autocast through partial, backward inside
from functools import partial

import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    cast = partial(torch.autocast, device_type="cuda", dtype=torch.float16)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with cast():
            loss = F.cross_entropy(model(x), y)
            scaler.scale(loss).backward()  # <- backward-in-autocast
        scaler.step(optimizer)
        scaler.update()
# === no_sync through an alias, never at the step's forward
import contextlib

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def train(model, loader, optimizer, accum):
    model = DDP(model)
    silent = model.no_sync
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == len(loader)
        loss = F.cross_entropy(model(x), y) / accum  # <- forward-outside-no-sync
        with contextlib.nullcontext() if last else silent():
            loss.backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
# === alias chosen by a condition, inverted
from contextlib import nullcontext

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def train(model, loader, optimizer, accum):
    model = DDP(model)
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == len(loader)
        context = model.no_sync if last else nullcontext
        with context():
            (F.cross_entropy(model(x), y) / accum).backward()
        if last:
            optimizer.step()  # <- step-without-sync
            optimizer.zero_grad()
# === partial of a method that returns a context
import contextlib
from functools import partial

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def maybe(model, on):
    return model.no_sync() if on else contextlib.nullcontext()


def train(model, loader, optimizer, accum):
    model = DDP(model)
    quiet = partial(maybe, model)
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == len(loader)
        loss = F.cross_entropy(model(x), y) / accum  # <- forward-outside-no-sync
        with quiet(not last):
            loss.backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
# === context kept in an attribute, a lambda, backward inside
import contextlib

import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, fp16=True):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.amp.GradScaler("cuda", enabled=fp16)
        self.cast = (lambda: torch.autocast("cuda", dtype=torch.float16)) if fp16 else contextlib.nullcontext

    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            with self.cast():
                loss = F.cross_entropy(self.model(x), y)
                self.scaler.scale(loss).backward()  # <- backward-in-autocast
            self.scaler.step(self.optimizer)
            self.scaler.update()
# === imported under another name
from torch.cuda.amp import GradScaler as Scaler
from torch.cuda.amp import autocast as mixed

import torch


def train(model, loader, optimizer):
    scaler = Scaler()
    for x, y in loader:
        optimizer.zero_grad()
        with mixed():
            loss = torch.nn.functional.mse_loss(model(x), y)
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-scaled-gradients
        scaler.step(optimizer)
        scaler.update()
# === no_sync as a partial in a list of contexts
import contextlib

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def train(model, loader, optimizer, accum):
    model = DDP(model)
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == len(loader)
        loss = F.cross_entropy(model(x), y) / accum  # <- forward-outside-no-sync
        with contextlib.ExitStack() as stack:
            if not last:
                stack.enter_context(model.no_sync())
            loss.backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
# === right: alias chosen by a condition
from contextlib import nullcontext

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def train(model, loader, optimizer, accum):
    model = DDP(model)
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == len(loader)
        context = nullcontext if last else model.no_sync
        with context():
            (F.cross_entropy(model(x), y) / accum).backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
# === right: partial of autocast
from functools import partial

import torch
import torch.nn.functional as F


def train(model, loader, optimizer):
    cast = partial(torch.autocast, device_type="cuda", dtype=torch.float16)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with cast():
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
# === right: partial of a helper that returns a context
import contextlib
from functools import partial

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def maybe(model, on):
    return model.no_sync() if on else contextlib.nullcontext()


def train(model, loader, optimizer, accum):
    model = DDP(model)
    quiet = partial(maybe, model)
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == len(loader)
        with quiet(not last):
            loss = F.cross_entropy(model(x), y) / accum
            loss.backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
# === right: no_grad under an alias
import torch
import torch.nn.functional as F

frozen = torch.no_grad


def train(model, teacher, loader, optimizer):
    for x, y in loader:
        with frozen():
            target = teacher(x)
        optimizer.zero_grad()
        F.mse_loss(model(x), target).backward()
        optimizer.step()
# === a context class chosen by a flag
import contextlib

import torch
import torch.nn.functional as F


def train(model, loader, optimizer, amp):
    cast = torch.cuda.amp.autocast if amp else contextlib.nullcontext
    scaler = torch.cuda.amp.GradScaler(enabled=amp)
    for x, y in loader:
        optimizer.zero_grad()
        with cast():
            loss = F.cross_entropy(model(x), y)
            scaler.scale(loss).backward()  # <- backward-in-autocast
        scaler.step(optimizer)
        scaler.update()
# === dtype chosen by a flag is no callable
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, bf16):
    dtype = torch.bfloat16 if bf16 else torch.float16
    scaler = torch.amp.GradScaler("cuda", enabled=not bf16)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=dtype):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-scaled-gradients
        scaler.step(optimizer)
        scaler.update()
# === right: a context class chosen by a flag
import contextlib

import torch
import torch.nn.functional as F


def train(model, loader, optimizer, amp, bf16):
    cast = torch.cuda.amp.autocast if amp else contextlib.nullcontext
    dtype = torch.bfloat16 if bf16 else torch.float16
    scaler = torch.cuda.amp.GradScaler(enabled=amp and dtype == torch.float16)
    for x, y in loader:
        optimizer.zero_grad()
        with cast():
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
# === one scaler for both types
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, bf16):
    dtype = torch.bfloat16 if bf16 else torch.float16
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=dtype):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()  # <- scaler-with-bfloat16
        scaler.step(optimizer)
        scaler.update()
# === right: one scaler, on for one of both types
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, bf16):
    dtype = torch.bfloat16 if bf16 else torch.float16
    scaler = torch.amp.GradScaler("cuda", enabled=not bf16)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=dtype):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
# === no_sync by partial
import contextlib
import functools

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def train(model, loader, optimizer, accum):
    model = DDP(model)
    silent = functools.partial(model.no_sync)
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == len(loader)
        loss = F.cross_entropy(model(x), y) / accum  # <- forward-outside-no-sync
        with contextlib.nullcontext() if last else silent():
            loss.backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
# === right: a stack of one's own enters `no_sync`, and leaves it with its block
import torch
from contextlib import ExitStack
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.nn import functional as F


class Part:
    def __init__(self, model, position, size):
        self.model = model
        self.quiet = position < size - 1
        self.stack = ExitStack()

    def __enter__(self):
        self.stack.__enter__()
        if self.quiet:
            self.stack.enter_context(self.model.no_sync())
        return self

    def __exit__(self, *error):
        return self.stack.__exit__(*error)


def fit(net, groups):
    model = DDP(net)
    opt = torch.optim.Adam(net.parameters())
    for group in groups:
        size = len(group)
        for n, (x, y) in enumerate(group):
            with Part(model, n, size):
                loss = F.mse_loss(model(x), y) / size
                loss.backward()
        opt.step()
        opt.zero_grad()
# === a stack of one's own enters `no_sync` for the last micro-batch only
import torch
from contextlib import ExitStack
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.nn import functional as F


class Part:
    def __init__(self, model, position, size):
        self.model = model
        self.quiet = position == size - 1
        self.stack = ExitStack()

    def __enter__(self):
        self.stack.__enter__()
        if self.quiet:
            self.stack.enter_context(self.model.no_sync())
        return self

    def __exit__(self, *error):
        return self.stack.__exit__(*error)


def fit(net, groups):
    model = DDP(net)
    opt = torch.optim.Adam(net.parameters())
    for group in groups:
        size = len(group)
        for n, (x, y) in enumerate(group):
            with Part(model, n, size):
                loss = F.mse_loss(model(x), y) / size
                loss.backward()
        opt.step()  # <- step-without-sync
        opt.zero_grad()
# === right: a context that is entered and left by hand
import torch
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.nn import functional as F


class Part:
    def __init__(self, model, position, size):
        self.context = model.no_sync() if position < size - 1 else None

    def __enter__(self):
        if self.context is not None:
            self.context.__enter__()

    def __exit__(self, *error):
        if self.context is not None:
            self.context.__exit__(*error)


def fit(net, groups):
    model = DDP(net)
    opt = torch.optim.Adam(net.parameters())
    for group in groups:
        size = len(group)
        for n, (x, y) in enumerate(group):
            with Part(model, n, size):
                loss = F.mse_loss(model(x), y) / size
                loss.backward()
        opt.step()
        opt.zero_grad()
# === right: evaluation switches gradients off by hand, and on again
import torch
from torch.nn import functional as F


class Evaluator:
    def begin(self, model):
        model.eval()
        self.off = torch.no_grad()
        self.off.__enter__()

    def end(self, model):
        self.off.__exit__(None, None, None)
        model.train()


def fit(model, loader, held_out):
    opt = torch.optim.Adam(model.parameters())
    evaluator = Evaluator()
    for epoch in range(3):
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(model(x), y).backward()
            opt.step()
        evaluator.begin(model)
        for x, y in held_out:
            print(F.mse_loss(model(x), y).item())
        evaluator.end(model)
# === gradients are on again before the evaluation runs
import torch
from torch.nn import functional as F


class Evaluator:
    def begin(self, model):
        model.eval()
        off = torch.no_grad()
        off.__enter__()
        off.__exit__(None, None, None)

    def end(self, model):
        model.train()


def fit(model, loader, held_out):
    opt = torch.optim.Adam(model.parameters())
    evaluator = Evaluator()
    for epoch in range(3):
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(model(x), y).backward()
            opt.step()
        evaluator.begin(model)
        for x, y in held_out:
            print(F.mse_loss(model(x), y).item())  # <- validation-without-no-grad
        evaluator.end(model)
