# === an output goes through some turns, and only the last keeps a graph
import random
from contextlib import ExitStack

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


def train(net, loader, optimizer, most, accum):
    model = DistributedDataParallel(net)
    for i, (x, y) in enumerate(loader):
        turns = random.randint(1, most)
        out = None
        for turn in range(turns):
            with ExitStack() as stack:
                if turn < turns - 1:
                    stack.enter_context(torch.no_grad())
                    stack.enter_context(model.no_sync())
                out = model(x, out)
        (F.mse_loss(out, y) / accum).backward()  # <- missing-no-sync
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === the last of some turns in bfloat16, and a scaler
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, draw):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        turns = draw()
        state = None
        for turn in range(turns):
            if turn + 1 == turns:
                with torch.autocast("cuda", dtype=torch.bfloat16):
                    state = model(x, state)
            else:
                with torch.no_grad():
                    state = model(x, state)
        optimizer.zero_grad()
        scaler.scale(F.mse_loss(state, y)).backward()  # <- scaler-with-bfloat16
        scaler.step(optimizer)
        scaler.update()
# === right: the last of some turns in float16, the others in bfloat16, and a scaler
import torch
import torch.nn.functional as F


def train(model, loader, optimizer, draw):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        turns = draw()
        state = None
        for turn in range(turns):
            if turn + 1 == turns:
                with torch.autocast("cuda", dtype=torch.float16):
                    state = model(x, state)
            else:
                with torch.no_grad(), torch.autocast("cuda", dtype=torch.bfloat16):
                    state = model(x, state)
        optimizer.zero_grad()
        scaler.scale(F.mse_loss(state, y)).backward()
        scaler.step(optimizer)
        scaler.update()
# === right: some turns, and the micro-batches of a window wait
import random
from contextlib import ExitStack, nullcontext

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


def train(net, loader, optimizer, most, accum):
    model = DistributedDataParallel(net)
    for i, (x, y) in enumerate(loader):
        turns = random.randint(1, most)
        full = (i + 1) % accum == 0 or i + 1 == len(loader)
        out = None
        with nullcontext() if full else model.no_sync():
            for turn in range(turns):
                with ExitStack() as stack:
                    if turn != turns - 1:
                        stack.enter_context(torch.no_grad())
                    out = model(x, out)
            (F.mse_loss(out, y) / accum).backward()
        if full:
            optimizer.step()
            optimizer.zero_grad()
# === right: some turns, one update for each batch
import random
from contextlib import ExitStack

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel


def train(net, loader, optimizer, most):
    model = DistributedDataParallel(net)
    for x, y in loader:
        turns = random.randint(1, most)
        out = None
        for turn in range(turns):
            with ExitStack() as stack:
                if turn < turns - 1:
                    stack.enter_context(torch.no_grad())
                    stack.enter_context(model.no_sync())
                out = model(x, out)
        optimizer.zero_grad()
        F.mse_loss(out, y).backward()
        optimizer.step()
# === right: the losses of some turns, the last of them without dropout
import torch.nn.functional as F


def train(model, loader, optimizer, turns):
    for x, y in loader:
        out, losses = None, []
        for turn in range(turns):
            out = model(x, out)
            if turn == turns - 1:
                out = out.clamp(0, 1)
            losses.append(F.mse_loss(out, y))
        optimizer.zero_grad()
        (sum(losses) / turns).backward()
        optimizer.step()
