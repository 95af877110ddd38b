"""Loops that repairs marked safe once broke, a few styles each: what becomes of each of them now."""

from __future__ import annotations

_LATE_CLIP = """
import torch
from torch import nn


def middle(values):
    return sorted(values)[len(values) // 2] if values else 0.5


def train(net, loader):
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    seen = []
    for x, y in loader:
        opt.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        opt.step()
        if GUARD:
            norm = nn.utils.clip_grad_norm_(net.parameters(), LIMIT)
            seen.append(min(norm.item(), 4.0))
"""

LOOPS: dict[str, str] = {
    "a late clip whose limit is named by its guard": _LATE_CLIP.replace(
        "GUARD", "(limit := 0.8 * middle(seen[-7:])) > 0.05"
    ).replace("LIMIT", "limit"),
    "a late clip behind a guard that is open at first": _LATE_CLIP.replace("GUARD", "middle(seen) > 0.3").replace(
        "LIMIT", "1.0"
    ),
    "a late clip behind a guard that is always open": _LATE_CLIP.replace("GUARD", "len(seen) >= 0").replace(
        "LIMIT", "1.0"
    ),
    "a window that another method allows to be 0": """
import torch


class T:
    def __init__(self, accum):
        self.accum = accum
        if self.accum == -1:
            print("each")

    def due(self, i):
        return self.accum <= 0 or (i + 1) % self.accum == 0

    def train(self, net, loader):
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        for i, (x, y) in enumerate(loader):
            torch.nn.functional.mse_loss(net(x), y).backward()
            if self.due(i):
                opt.step()
                opt.zero_grad()
""",
    "a clip in front of a helper that divides by hand and steps": """
import torch
from torch import nn


def feeder(net, opt, group):
    pending = 0

    def flush():
        nonlocal pending
        if pending:
            for p in net.parameters():
                p.grad /= pending
            opt.step()
            opt.zero_grad()
            pending = 0

    def feed(cow, milk):
        nonlocal pending
        loss = nn.functional.huber_loss(net(cow), milk)
        loss.backward()
        nn.utils.clip_grad_value_(net.parameters(), 0.3)
        pending += 1
        if pending == group:
            flush()
        return loss.detach()

    return feed, flush


def main(net, herd):
    feed, flush = feeder(net, torch.optim.SGD(net.parameters(), lr=0.3), group=3)
    for day in range(3):
        for cow, milk in herd(day):
            feed(cow, milk)
        flush()
""",
    "a window that may be -1, for an update with each micro-batch": """
import torch


def train(net, loader, accum):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        torch.nn.functional.mse_loss(net(x), y).backward()
        if accum == -1 or (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
""",
    "a window that may be none": """
import torch


def train(net, loader, accum):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        torch.nn.functional.mse_loss(net(x), y).backward()
        if not accum or (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
""",
    "a window that may be 0, for no update at all": """
import torch


def train(net, loader, accum):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        torch.nn.functional.mse_loss(net(x), y).backward()
        if accum > 0 and (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
""",
    "a window that has to be a number to divide by": """
import torch


def train(net, loader, accum):
    if accum < 1:
        raise ValueError(accum)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        torch.nn.functional.mse_loss(net(x), y).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
""",
    "a rate that was divided by the window, under a name": """
import torch


def train(model, loader):
    accum, base = 4, 0.1
    rate = base / accum
    opt = torch.optim.SGD(model.parameters(), lr=rate)
    for i, (x, y) in enumerate(loader):
        torch.nn.functional.mse_loss(model(x), y).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
""",
    "a rate that takes the division, and is set for each update": """
import torch


def train(model, loader, get_lr, accum=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        lr = get_lr(i) / accum
        for group in opt.param_groups:
            group["lr"] = lr
        torch.nn.functional.mse_loss(model(x), y).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
""",
    "a rate that a property divides by the window": """
import torch
from dataclasses import dataclass


@dataclass(frozen=True)
class Firing:
    rate: float = 0.3
    every: int = 3

    @property
    def per_load(self):
        return self.rate / self.every


def train(model, loader, cfg=Firing()):
    opt = torch.optim.SGD(model.parameters(), lr=cfg.per_load)
    for i, (x, y) in enumerate(loader, start=1):
        torch.nn.functional.mse_loss(model(x), y).backward()
        if i % cfg.every == 0:
            opt.step()
            opt.zero_grad()
""",
    "a scheduler of the project's own, which sets the first rate": """
import torch
from src.utils import WarmupCosineSchedule


def train(net, loader, epochs):
    opt = torch.optim.AdamW(net.parameters())
    scheduler = WarmupCosineSchedule(opt, warmup_steps=10, start_lr=1e-6, ref_lr=1e-3, T_max=epochs * len(loader))
    for x, y in loader:
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(net(x), y)
        rate = scheduler.step()
        loss.backward()
        opt.step()
        print(rate, loss.item())
""",
    "a norm that is clipped and kept after each micro-batch": """
import torch
from torch.nn.parallel import DistributedDataParallel


def train(net, loader, accum, meter):
    model = DistributedDataParallel(net)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        opt.zero_grad()
        for idx, (x, y) in enumerate(loader):
            loss = torch.nn.functional.mse_loss(model(x), y) / accum
            loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            if (idx + 1) % accum == 0:
                opt.step()
                opt.zero_grad()
            meter.update(norm)
""",
    "gradients of some parameters that are dropped on purpose": """
import torch


def train(policy, buffer, updates):
    actor_params, flat_grad = policy.actor_gradients(buffer)
    for _ in range(updates):
        for rollout in buffer.get(64):
            loss = torch.nn.functional.mse_loss(policy.value(rollout.obs), rollout.returns)
            policy.optimizer.zero_grad()
            loss.backward()
            for param in actor_params:
                param.grad = None
            policy.optimizer.step()
""",
    "no_sync around the backward of the update, the other way round": """
import contextlib
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, loader, total, accum):
    model = DDP(net)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    step = 0
    for x, y in loader:
        step += 1
        loss = torch.nn.functional.mse_loss(model(x), y) / accum
        if step % accum == 0 or step == total:
            with model.no_sync():
                loss.backward()
            opt.step()
            opt.zero_grad()
        else:
            loss.backward()
""",
    "no_sync around the last backward, by a condition": """
import contextlib
import torch
from torch.nn.parallel import DistributedDataParallel


def train(net, loader, accum):
    model = DistributedDataParallel(net)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum == 0 or i + 1 == len(loader)
        out = model(x)
        loss = torch.nn.functional.mse_loss(out, y) / accum
        with model.no_sync() if last else contextlib.nullcontext():
            loss.backward()
        if last:
            opt.step()
            opt.zero_grad()
""",
    "no_sync behind a continue, the other way round": """
import torch
from torch.nn.parallel import DistributedDataParallel


def train(net, loader, accum, steps):
    model = DistributedDataParallel(net)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, (x, y) in enumerate(loader, 1):
        loss = torch.nn.functional.mse_loss(model(x), y) / accum
        if step % accum != 0 and step != steps:
            loss.backward()
            continue
        with model.no_sync():
            loss.backward()
        opt.step()
        opt.zero_grad()
""",
    "two steps that share a window": """
import contextlib
import torch
from torch.nn.parallel import DistributedDataParallel


def train(net, loader, accum):
    model = DistributedDataParallel(net)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for idx, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y) / accum
        loss.backward()
        if (idx + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
        if idx == len(loader) - 1:
            opt.step()
            opt.zero_grad()
""",
    "a flush behind the loop": """
import torch
from torch.nn.parallel import DistributedDataParallel


def train(net, loader, epochs, accum):
    model = DistributedDataParallel(net)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for idx, (x, y) in enumerate(loader):
            loss = torch.nn.functional.mse_loss(model(x), y) / accum
            loss.backward()
            if (idx + 1) % accum == 0:
                opt.step()
                opt.zero_grad()
        opt.step()
        opt.zero_grad()
""",
    "a teacher in DDP": """
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, guide, loader, accum):
    teacher = DDP(guide)
    student = DDP(net)
    opt = torch.optim.SGD(student.parameters(), lr=0.1)
    for idx, (x, y) in enumerate(loader):
        target = teacher(x).detach()
        loss = torch.nn.functional.mse_loss(student(x), target) / accum
        loss.backward()
        if (idx + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
""",
    "Apex's DDP": """
import torch
from apex.parallel import DistributedDataParallel as DDP


def train(net, loader, accum):
    model = DDP(net)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for idx, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y) / accum
        loss.backward()
        if (idx + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
""",
    "a DDP with a static graph": """
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, loader, accum, rank):
    model = DDP(net, device_ids=[rank], static_graph=True)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for idx, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y) / accum
        loss.backward()
        if (idx + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
""",
    "a DDP with arguments out of sight": """
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, loader, accum, options):
    model = DDP(net, **options)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for idx, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y) / accum
        loss.backward()
        if (idx + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
""",
    "a wrapper that is only bound when distributed": """
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(model, loader, accum, distributed):
    if distributed:
        ddp = DDP(model)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for idx, (x, y) in enumerate(loader):
        out = ddp(x) if distributed else model(x)
        loss = torch.nn.functional.mse_loss(out, y) / accum
        loss.backward()
        if (idx + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
""",
    "a DDP from elsewhere": """
import torch
from mylib.parallel import DistributedDataParallel


def train(net, loader, accum):
    model = DistributedDataParallel(net)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for idx, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y) / accum
        loss.backward()
        if (idx + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
""",
    "torch's DDP or Apex's": """
import torch
from torch.nn.parallel import DistributedDataParallel as DDP
try:
    from apex.parallel import DistributedDataParallel as ApexDDP
except ImportError:
    ApexDDP = None


def train(net, loader, accum, args):
    if args.native:
        model = DDP(net)
    else:
        model = ApexDDP(net)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for idx, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y) / accum
        loss.backward()
        if (idx + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
""",
    "a clip of scaled gradients before a skip": """
import torch


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        scaler.scale(loss).backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if not torch.isfinite(norm):
            opt.zero_grad()
            continue
        scaler.step(opt)
        scaler.update()
""",
    "a clip of scaled gradients before a return": """
import math
import torch


def train_step(model, opt, scaler, x, y, limit):
    opt.zero_grad()
    scaler.scale(torch.nn.functional.mse_loss(model(x), y)).backward()
    grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
    if math.isnan(grad_norm):
        print("skipped")
        return None
    scaler.step(opt)
    scaler.update()
    return grad_norm


def main(model, loader, limit):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.cuda.amp.GradScaler()
    for x, y in loader:
        train_step(model, opt, scaler, x, y, limit)
""",
    "a counter that goes on where it was left": """
import os
import torch


def train(model, loader, path, epochs, n):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    step = -1
    if os.path.exists(path):
        state = torch.load(path)
        model.load_state_dict(state["model"])
        step = state["step"]
    opt.zero_grad()
    for epoch in range(epochs):
        for x, y in loader:
            step += 1
            (torch.nn.functional.mse_loss(model(x), y) / n).backward()
            if (step + 1) % n == 0:
                opt.step()
                opt.zero_grad()
""",
    "batches of a former run are skipped": """
import torch


def train(model, loader, args, n):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    start = 0
    if args.resume:
        start = torch.load(args.resume)["step"] + 1
    opt.zero_grad()
    for step, (x, y) in enumerate(loader):
        if step < start:
            continue
        (torch.nn.functional.mse_loss(model(x), y) / n).backward()
        if (step + 1) % n == 0:
            opt.step()
            opt.zero_grad()
""",
    "a clip of what is remembered behind the step": """
import torch


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    kept = {name: torch.zeros_like(p) for name, p in model.named_parameters()}
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        opt.step()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for name, p in model.named_parameters():
            kept[name].add_(p.grad, alpha=0.1)
    return kept
""",
    "a clear that is too early, and gradients that set the next rate": """
import torch


def size(model):
    return sum(p.grad.norm().item() for p in model.parameters() if p.grad is not None)


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        torch.nn.functional.mse_loss(model(x), y).backward()
        opt.zero_grad()
        opt.step()
        for group in opt.param_groups:
            group["lr"] = 0.1 / (1 + size(model))
""",
    "a hook that takes the mean over the window": """
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def mean(group, bucket):
    work = dist.all_reduce(bucket.buffer(), group=group, async_op=True).get_future()
    return work.then(lambda done: done.value()[0].div_(4 * dist.get_world_size(group)))


def train(net, loader):
    model = DDP(net)
    model.register_comm_hook(None, mean)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader, 1):
        if i % 4:
            with model.no_sync():
                torch.nn.functional.mse_loss(model(x), y).backward()
            continue
        torch.nn.functional.mse_loss(model(x), y).backward()
        opt.step()
        opt.zero_grad()
""",
    "a sampler that a setting of another library may leave out": """
import tensorflow as tf
import torch
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def loader_of(data, settings):
    if settings.distributed_run:
        sampler = DistributedSampler(data)
    else:
        sampler = None
    return DataLoader(data, batch_size=4, sampler=sampler, shuffle=sampler is None)


def train(model, data, epochs):
    settings = tf.contrib.training.HParams(distributed_run=False)
    loader = loader_of(data, settings)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            opt.step()
""",
    "a sampler that may be none": """
import torch
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def train(model, data, epochs, distributed):
    sampler = DistributedSampler(data) if distributed else None
    loader = DataLoader(data, batch_size=4, sampler=sampler, shuffle=sampler is None)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            opt.step()
""",
    "a sampler of another kind": """
import torch
from torch.utils.data import DataLoader, RandomSampler
from torch.utils.data.distributed import DistributedSampler


def make(data, rank):
    if rank == -1:
        sampler = RandomSampler(data)
    else:
        sampler = DistributedSampler(data)
    return DataLoader(data, sampler=sampler, batch_size=4)


def train(model, data, epochs, rank):
    loader = make(data, rank)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            opt.step()
""",
    "a loader that is made in the loop": """
import torch
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler
from prefetch import Prefetcher


def train(model, data, epochs):
    sampler = DistributedSampler(data)
    base = DataLoader(data, batch_size=4, sampler=sampler)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        loader = Prefetcher(base)
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            opt.step()
""",
    "a loss that may be a number": """
import torch


def train(model, loader, use_aux):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    total = 0
    for x, y in loader:
        opt.zero_grad()
        aux = 0
        if use_aux:
            aux = model.aux(x)
        loss = torch.nn.functional.mse_loss(model(x), y) + aux
        loss.backward()
        opt.step()
        total += aux
    return total
""",
    "a norm that is read behind the clip": """
import math
import torch


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        opt.step()
        limit = 1.0 if len(x) > 4 else 0.5
        grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
        if math.isnan(grad_norm):
            break
""",
    "a norm that decides whether to go on": """
import math
import torch


def train(model, loader, n):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        (torch.nn.functional.mse_loss(model(x), y) / n).backward()
        grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if math.isnan(grad_norm):
            opt.zero_grad()
            continue
        if (i + 1) % n == 0:
            opt.step()
            opt.zero_grad()
""",
    "another library's tape": """
import torch
import warp as wp
import warp.optim


def train(kernel, params, steps):
    opt = warp.optim.Adam(params, lr=0.1)
    tape = wp.Tape()
    for i in range(steps):
        with tape:
            wp.launch(kernel)
        tape.backward()
        opt.step()
        tape.zero()
""",
    "gradients that are put back": """
import torch


def train(policy, loader, line_search):
    opt = torch.optim.SGD(policy.parameters(), lr=0.1)
    for x, adv in loader:
        surrogate = -(policy(x) * adv).mean()
        surrogate.backward()
        flat = torch.cat([p.grad.view(-1) for p in policy.parameters()])
        policy.zero_grad()
        for p, g in zip(policy.parameters(), flat.split(1)):
            p.grad = g.view_as(p)
        opt.step()
""",
    "an inner loop that clears its own": """
import copy
import torch


def maml(model, tasks, inner_steps):
    meta = torch.optim.Adam(model.parameters(), lr=1e-3)
    for support, query in tasks:
        fast = copy.deepcopy(model)
        inner = torch.optim.SGD(fast.parameters(), lr=0.01)
        for _ in range(inner_steps):
            inner.zero_grad()
            torch.nn.functional.mse_loss(fast(support[0]), support[1]).backward()
            inner.step()
        inner.zero_grad()
        torch.nn.functional.mse_loss(fast(query[0]), query[1]).backward()
        for p, q in zip(model.parameters(), fast.parameters()):
            p.grad = q.grad.clone()
        meta.step()
""",
    "a loss that is divided on an attribute": """
import torch


def train(model, loader, n):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, batch in enumerate(loader):
        result = model(**batch)
        result.loss /= n
        result.loss.backward()
        if (i + 1) % n == 0:
            opt.step()
            opt.zero_grad()
""",
    "a sum on purpose": """
import torch


def train(model, loader, n, total):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = torch.nn.CrossEntropyLoss(reduction="sum").cuda()
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        loss.backward()
        if (i + 1) % n == 0:
            opt.step()
            opt.zero_grad()
""",
    "a loss that another file computes": """
import torch
from utils import compute_loss


def train(model, loader, n):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, batch in enumerate(loader):
        loss = compute_loss(model, batch)
        loss.backward()
        if (i + 1) % n == 0:
            opt.step()
            opt.zero_grad()
""",
    "a network that nobody trains": """
import torch


def train(model, feature, loader, epochs, val):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(model(feature(x)), y).backward()
            opt.step()
        feature.eval()
        for x, y in val:
            with torch.no_grad():
                print(model(feature(x)))
""",
    "the generator's clip": """
import torch


def train(G, D, loader, bce):
    opt_g = torch.optim.Adam(G.parameters())
    opt_d = torch.optim.Adam(D.parameters())
    for real, z, one, zero in loader:
        opt_d.zero_grad()
        loss_d = bce(D(real), one) + bce(D(G(z).detach()), zero)
        loss_d.backward()
        opt_d.step()
        opt_g.zero_grad()
        loss_g = bce(D(G(z)), one)
        loss_g.backward()
        opt_g.step()
        torch.nn.utils.clip_grad_norm_(G.parameters(), 1.0)
""",
    "a schedule of micro-batches": """
import torch


def train(model, loader, epochs, n):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=epochs * len(loader))
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            (torch.nn.functional.mse_loss(model(x), y) / n).backward()
            if (i + 1) % n == 0:
                opt.step()
                opt.zero_grad()
            sched.step()
""",
    "a schedule of micro-batches whose length is a setting": """
import torch
from transformers import get_scheduler


class Trainer:
    def __init__(self, args, model, epoch_len, n):
        if args.decay_steps is None:
            args.decay_steps = int(epoch_len * args.max_epochs * 1.5)
        config = dict(args.optimizer)
        config["decay_steps"] = config.get("decay_steps", None) or args.decay_steps
        self.model, self.n = model, n
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1)
        self.sched = get_scheduler("cosine", self.opt, 100, num_training_steps=int(config["decay_steps"]))

    def train(self, loader):
        for i, (x, y) in enumerate(loader):
            (torch.nn.functional.mse_loss(self.model(x), y) / self.n).backward()
            if (i + 1) % self.n == 0:
                self.opt.step()
                self.opt.zero_grad()
            self.sched.step()
""",
    "a schedule of batches whose optimizer steps now and then": """
import torch


def train(gen, disc, reals, args, it):
    opt_g, opt_d = torch.optim.Adam(gen.parameters()), torch.optim.Adam(disc.parameters())
    sched_g = torch.optim.lr_scheduler.StepLR(opt_g, 1000)
    for x, z in reals:
        it += 1
        sched_g.step()
        opt_d.zero_grad()
        (disc(x) - disc(gen(z).detach())).mean().backward()
        if args.norm:
            disc(x).pow(2).mean().backward()
        if args.drift:
            disc(x).abs().mean().backward()
        if args.mixed:
            disc(x + z).mean().backward()
        if args.noise:
            disc(x * z).mean().backward()
        if args.flip:
            disc(-x).mean().backward()
        opt_d.step()
        if (it + 1) % args.d_steps == 0:
            opt_g.zero_grad()
            disc(gen(z)).mean().backward()
            opt_g.step()
        print(it)
""",
    "a call that goes backward and steps": """
import torch
from timm.utils import NativeScaler


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    loss_scaler = NativeScaler()
    for x, y in loader:
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss_scaler(loss, opt)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
""",
    "a discriminator that is never cleared": """
import torch


def train(G, D, loader):
    bce = torch.nn.BCEWithLogitsLoss()
    optimizerG = torch.optim.Adam(G.parameters())
    optimizerD = torch.optim.Adam(D.parameters())
    for real, z, one, zero in loader:
        fake = G(z)
        lossD = bce(D(real), one) + bce(D(fake.detach()), zero)
        lossD.backward()
        optimizerD.step()
        optimizerG.zero_grad()
        lossG = bce(D(fake), one)
        lossG.backward()
        optimizerG.step()
""",
    "a discriminator that is cleared too late": """
import torch


def train(G, D, loader):
    bce = torch.nn.BCEWithLogitsLoss()
    optimizerG = torch.optim.Adam(G.parameters())
    optimizerD = torch.optim.Adam(D.parameters())
    for real, z, one, zero in loader:
        errD_real = bce(D(real), one)
        errD_real.backward()
        fake = G(z)
        errD_fake = bce(D(fake.detach()), zero)
        errD_fake.backward()
        optimizerD.zero_grad()
        optimizerD.step()
        G.zero_grad()
        errG = bce(D(fake), one)
        errG.backward()
        optimizerG.step()
""",
    "a trunk that is kept in eval mode": """
import torch


def train(model, loader, val, epochs):
    opt = torch.optim.SGD(model.head.parameters(), lr=0.1)
    model.train()
    model.trunk.eval()
    for epoch in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            opt.step()
        model.eval()
        with torch.no_grad():
            for x, y in val:
                print(model(x))
""",
    "an evaluation that takes gradients": """
import torch


def saliency(model, x, y):
    model.eval()
    x.requires_grad_(True)
    loss = torch.nn.functional.mse_loss(model(x), y)
    loss.backward()
    return x.grad


def train(model, loader, val):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        model.train()
        opt.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        opt.step()
        if i % 100 == 0:
            for vx, vy in val:
                saliency(model, vx, vy)
""",
    "gradients that are carried on": """
import torch


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        torch.nn.functional.mse_loss(model(x), y).backward()
        opt.step()
        for p in model.parameters():
            p.grad *= 0.9
""",
    "gradients that are read behind the step": """
import torch


def train(model, loader, log):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        torch.nn.functional.mse_loss(model(x), y).backward()
        opt.step()
        log(sum(p.grad.norm().item() for p in model.parameters()))
""",
    "a frozen network whose image is fitted by LBFGS": """
import torch


def fit(cnn, content, target):
    cnn.requires_grad_(False)
    img = torch.nn.Parameter(content.clone())
    optimizer = torch.optim.LBFGS([img], max_iter=3)
    for _ in range(9):

        def closure():
            loss = torch.nn.functional.mse_loss(cnn(img), target)
            loss.backward()
            return loss

        optimizer.step(closure)
    return img
""",
    "a network whose gradients a helper keeps, whose image is fitted by LBFGS": """
import torch


def fit(cnn, content, target):
    cnn.store_grad_of(content)
    img = torch.nn.Parameter(content.clone())
    optimizer = torch.optim.LBFGS([img], max_iter=3)
    for _ in range(9):

        def closure():
            loss = torch.nn.functional.mse_loss(cnn(img), target)
            loss.backward()
            return loss

        optimizer.step(closure)
    return img
""",
    "a clip that a bare try guards": """
import torch


def train(model, loader, opt, accum):
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y) / accum
        loss.backward()
        try:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        except:
            print("no gradients")
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()
""",
    "a sampler that only the script makes": """
import torch
from torch.utils.data import DataLoader, DistributedSampler


def epoch_of(model, loader, opt):
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        opt.step()


def train(model, loader, opt, epochs):
    for epoch in range(epochs):
        epoch_of(model, loader, opt)


if __name__ == "__main__":
    data = torch.utils.data.TensorDataset(torch.randn(8, 4), torch.randn(8, 2))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, sampler=sampler)
    model = torch.nn.Linear(4, 2)
    train(model, loader, torch.optim.SGD(model.parameters(), lr=0.1), 3)
""",
    "a DDP that is annotated, and made now and then": """
import torch
from contextlib import nullcontext
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, loader, accum, alone):
    model = net
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    if not alone:
        model: torch.nn.Module = DDP(net)
    for idx, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y) / accum
        loss.backward()
        if (idx + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
""",
    "an optimizer that a library gives back": """
import msamp
import torch
from utils import get_training_utilities


def train():
    scaler = torch.amp.GradScaler("cuda")
    model, optimizer, loader = get_training_utilities()
    model, optimizer = msamp.initialize(model, optimizer)
    for batch in loader:
        with torch.autocast("cuda"):
            loss = model(**batch).loss
        scaler.scale(loss).backward()
        optimizer.step()
        optimizer.zero_grad()
""",
    "gradients that are compared with those of another network": """
import torch


def check(one, other):
    for a, b in zip(one.parameters(), other.parameters()):
        assert torch.allclose(a.grad, b.grad)


def compare(model, other, loader):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for i, (x, y) in enumerate(loader):
        torch.nn.functional.mse_loss(model(x), y).backward()
        opt.step()
        done = (i + 1) % 2 == 0 or i + 1 == len(loader)
        if done:
            check(model, other)
            opt.zero_grad()
""",
    "an evaluation in the middle, with gradients on": """
import torch


def train(model, train_loader, test_loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    step = 0
    for _ in range(epochs):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
            step += 1
            if step % 100 == 0:
                model.eval()
                total = 0
                for a, b in test_loader:
                    total += torch.nn.functional.cross_entropy(model(a), b).item()
                print(step, total / len(test_loader))
""",
    "a schedule over the epochs that moves with each batch": """
import torch


def train_one_epoch(model, loader, optimizer, scheduler, args):
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.cross_entropy(model(x), y) / args.grad_accum
        loss.backward()
        if (i + 1) % args.grad_accum == 0:
            optimizer.step()
            optimizer.zero_grad()
        scheduler.step()


def main(model, loader, args):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs - args.warmup_updates)
    for epoch in range(args.epochs):
        train_one_epoch(model, loader, optimizer, scheduler, args)
""",
    "a step of two passes that is never cleared": """
import torch


def train(model, batches):
    opt = torch.optim.SGD(model.parameters(), lr=0.3)
    for x, y in batches:

        def passing():
            loss = torch.nn.functional.mse_loss(model(x), y)
            loss.backward()
            return loss

        passing()
        with torch.no_grad():
            shifts = [0.1 * p.grad for p in model.parameters()]
            for p, shift in zip(model.parameters(), shifts):
                p += shift
        passing()
        with torch.no_grad():
            for p, shift in zip(model.parameters(), shifts):
                p -= shift
        opt.step()
""",
    "a schedule whose warm-up another function counts": """
import torch


def rate(step, size, warmup):
    return size ** -0.5 * min(max(step, 1) ** -0.5, max(step, 1) * warmup ** -1.5)


def train(model, loader, config):
    optimizer = torch.optim.Adam(model.parameters(), lr=1.0)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate(step, 512, config["warmup_updates"]))
    for i, (x, y) in enumerate(loader, 1):
        loss = torch.nn.functional.cross_entropy(model(x), y)
        (loss / config["accum"]).backward()
        if i % config["accum"] == 0:
            optimizer.step()
            optimizer.zero_grad()
        schedule.step()
""",
    "a scaler that somebody else holds": """
import torch


def learn(trainer, loss):
    trainer.scaler.scale(loss).backward()
    torch.nn.utils.clip_grad_norm_(trainer.model.parameters(), 1.0)
    trainer.scaler.step(trainer.optimizer)
    trainer.scaler.update()
    trainer.optimizer.zero_grad()
""",
    "batches that are remembered by their number": """
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def train(model, data):
    dist.init_process_group("nccl")
    sampler = DistributedSampler(data, shuffle=True)
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    model = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
    seen = []
    for epoch in range(3):
        for number, (x, y) in enumerate(loader):
            guess = model(x)
            if epoch:
                y = 0.5 * (y + seen[number])
            else:
                seen.append(guess.detach())
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(guess, y).backward()
            optimizer.step()
""",
    "gradients that are looked at in each micro-batch": """
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

ACCUM = 4


def train(model, loader):
    dist.init_process_group("nccl")
    model = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
    for i, (x, y) in enumerate(loader, 1):
        (torch.nn.functional.mse_loss(model(x), y) / ACCUM).backward()
        norm = torch.stack([p.grad.norm() for p in model.parameters()]).norm()
        print(i, f"{norm:.6f}")
        if i % ACCUM == 0:
            optimizer.step()
            optimizer.zero_grad()
""",
    "a rate that is divided by a constant": """
import torch

ACCUM = 4


def train(model, fetch):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2 / ACCUM)
    for update in range(20):
        optimizer.zero_grad()
        for _ in range(ACCUM):
            x, y = fetch()
            torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
""",
    "a norm that is read behind `accumulate`": """
import torch
from accelerate import Accelerator


def train(model, loader, norms):
    accelerator = Accelerator(gradient_accumulation_steps=4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for x, y in loader:
        with accelerator.accumulate(model):
            accelerator.backward(torch.nn.functional.mse_loss(model(x), y))
            norm = accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        norms.append(norm.item())
""",
    "a norm that a function shows": """
import torch
from accelerate import Accelerator


def train(model, loader, norms):
    accelerator = Accelerator(gradient_accumulation_steps=4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)

    def show():
        norms.append(norm.item())

    for x, y in loader:
        with accelerator.accumulate(model):
            accelerator.backward(torch.nn.functional.mse_loss(model(x), y))
            norm = accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        show()
""",
    "a norm that the next turn reads": """
import torch
from accelerate import Accelerator


def train(model, loader, norms):
    accelerator = Accelerator(gradient_accumulation_steps=4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for i, (x, y) in enumerate(loader):
        if i:
            norms.append(norm.item())
        with accelerator.accumulate(model):
            accelerator.backward(torch.nn.functional.mse_loss(model(x), y))
            norm = accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
""",
    "a norm that is read where the gradients synchronise": """
import torch
from accelerate import Accelerator


def train(model, loader, norms):
    accelerator = Accelerator(gradient_accumulation_steps=4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for x, y in loader:
        with accelerator.accumulate(model):
            accelerator.backward(torch.nn.functional.mse_loss(model(x), y))
            norm = accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        if accelerator.sync_gradients and norms is not None:
            norms.append(norm.item())
""",
    "a norm that is read behind the way on": """
import torch
from accelerate import Accelerator


def train(model, loader, norms):
    accelerator = Accelerator(gradient_accumulation_steps=4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for x, y in loader:
        with accelerator.accumulate(model):
            accelerator.backward(torch.nn.functional.mse_loss(model(x), y))
            norm = accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        if not accelerator.sync_gradients:
            continue
        norms.append(norm.item())
""",
    "a norm that is read behind the loop": """
import torch
from accelerate import Accelerator


def train(model, loader, norms):
    accelerator = Accelerator(gradient_accumulation_steps=4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for x, y in loader:
        with accelerator.accumulate(model):
            accelerator.backward(torch.nn.functional.mse_loss(model(x), y))
            norm = accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
    norms.append(norm.item())
""",
    "two backwards among the forwards of one autocast": """
import torch


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = model(x).mean()
            loss.backward()
            aux = model(y).mean()
            aux.backward()
        optimizer.step()
""",
    "two backwards at the end of one autocast": """
import torch


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out, aux = model(x)
            loss = torch.nn.functional.mse_loss(out, y)
            aux.backward(retain_graph=True)
            loss.backward()
        optimizer.step()
""",
    "two backwards in an autocast that is held by a name": """
import torch


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    cast = torch.autocast("cuda", dtype=torch.bfloat16)
    for x, y in loader:
        optimizer.zero_grad()
        with cast:
            loss = model(x).mean()
            loss.backward()
            aux = model(y).mean()
            aux.backward()
        optimizer.step()
""",
    "a backward of a loop in autocast, and one behind it": """
import torch


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            for part in x:
                loss = model(part).mean()
                loss.backward()
            aux = model(y).mean()
            aux.backward()
        optimizer.step()
""",
    "an attack behind a helper of the file in the evaluation": """
import torch
import torch.nn.functional as F
from attacks import PGD, pgd


def perturbed(net, x, y):
    return x + pgd(net, x, y)


def evaluate(net, valid, attacked=False):
    net.eval()
    right = 0
    for x, y in valid:
        if attacked:
            x = perturbed(net, x, y)
        right += (net(x).argmax(1) == y).sum().item()
    return right


def train(net, batches, valid):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        net.train()
        for x, y in batches:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        evaluate(net, valid)
""",
    "an attack that holds the network in the evaluation": """
import torch
import torch.nn.functional as F
from attacks import PGD, pgd


def evaluate(net, valid, attacked=False):
    attack = PGD(net, 0.1)
    net.eval()
    right = 0
    for x, y in valid:
        if attacked:
            x = attack(x, y)
        right += (net(x).argmax(1) == y).sum().item()
    return right


def train(net, batches, valid):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        net.train()
        for x, y in batches:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        evaluate(net, valid)
""",
    "an attack that the evaluation is given": """
import torch
import torch.nn.functional as F
from attacks import PGD, pgd


def evaluate(net, valid, attack=None):
    net.eval()
    right = 0
    for x, y in valid:
        if attack is not None:
            x = attack(x, y)
        right += (net(x).argmax(1) == y).sum().item()
    return right


def train(net, batches, valid):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        net.train()
        for x, y in batches:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        evaluate(net, valid)
""",
    "a helper that attacks and scores": """
import torch
import torch.nn.functional as F
from attacks import PGD, pgd


def score(net, x, y, attacked):
    if attacked:
        x = x + pgd(net, x, y)
    return (net(x).argmax(1) == y).sum().item()


def evaluate(net, valid, attacked=False):
    net.eval()
    right = 0
    for x, y in valid:
        right += score(net, x, y, attacked)
    return right


def train(net, batches, valid):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        net.train()
        for x, y in batches:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        evaluate(net, valid)
""",
    "one loop that trains and evaluates": """
import torch
import torch.nn.functional as F


def run(net, loader, optimizer=None):
    if optimizer is None:
        net.eval()
    else:
        net.train()
    total = 0.0
    for x, y in loader:
        loss = F.mse_loss(net(x), y)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss.item()
    return total


def train(net, batches, valid):
    optimizer = torch.optimizerim.SGD(net.parameters(), lr=0.1)
    for epoch in range(10):
        run(net, batches, optimizer)
        run(net, valid)
""",
    "an attack of a library in the evaluation": """
import torch
from attacks import pgd
from torch import nn


def evaluate(net, loader, attacked=False):
    net.eval()
    right = 0
    for x, y in loader:
        if attacked:
            x = x + pgd(net, x, y)
        right += (net(x).argmax(1) == y).sum().item()
    return right


def train(net, loader, valid):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
        evaluate(net, valid)
""",
    "an attack that settings name, and that finds the network among them": """
import torch
from attacks import pgd
from torch import nn


def evaluate(net, loader, settings=None):
    net.eval()
    right = 0
    for x, y in loader:
        if settings and settings["attack"]:
            settings["args"]["net"] = net
            x = x + settings["attack"](**settings["args"])
        right += (net(x).argmax(1) == y).sum().item()
    return right


def train(net, loader, valid):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
        evaluate(net, valid)
""",
    "a network that is only looked at in the evaluation": """
import torch
from attacks import pgd
from torch import nn


def evaluate(net, loader, shown=False):
    net.eval()
    right = 0
    for x, y in loader:
        if shown:
            print(net, isinstance(net, nn.Module))
        right += (net(x).argmax(1) == y).sum().item()
    return right


def train(net, loader, valid):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
        evaluate(net, valid)
""",
    "an iterator that is named ahead of the new head": """
import torch
from torch import nn


def train(critic, loader):
    weights = critic.parameters()
    critic.value = nn.Linear(8, 1)
    optimizer = torch.optim.SGD(weights, lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(critic(x), y).backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
""",
    "an iterator that is named ahead of the freezing": """
import torch
from torch import nn


def train(critic, loader):
    weights = filter(lambda p: p.requires_grad, critic.parameters())
    for p in critic.body.parameters():
        p.requires_grad = True
    optimizer = torch.optim.SGD(weights, lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(critic(x), y).backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
""",
    "an iterator over a model that goes to its device": """
import torch
from torch import nn


def train(critic, loader):
    weights = critic.parameters()
    critic = critic.to("cuda")
    critic.train()
    optimizer = torch.optim.SGD(weights, lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(critic(x), y).backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
""",
    "an iterator over a model that grows in the loop": """
import torch
from torch import nn


def train(critic, loader):
    weights = critic.parameters()
    optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
    for x, y in loader:
        if not optimizer.state:
            critic.add_module("value", nn.Linear(8, 1))
        optimizer.zero_grad()
        nn.functional.mse_loss(critic(x), y).backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
""",
    "an evaluation for a PyTorch that has no no_grad": """
import torch
from torch.autograd import Variable


def train(net, loader, test, optimizer, criterion):
    for epoch in range(3):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(net(Variable(x)), Variable(y))
            loss.backward()
            optimizer.step()
            print(loss.data[0])
        print(evaluate(net, test, criterion))


def evaluate(net, test, criterion):
    net.eval()
    total = 0
    for x, y in test:
        total += criterion(net(Variable(x)), Variable(y)).data
    return total
""",
    "a critic that is cleared for each micro-batch": """
import torch
from torch import nn


class Pair:
    def __init__(self, accum=2, every=3):
        self.accum, self.every = accum, every
        self.critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
        self.maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.opt_m = torch.optim.Adam(self.maker.parameters(), lr=1e-3)

    def critic_turn(self, reals):
        for real in reals:
            self.opt_c.zero_grad()
            fake = self.maker(torch.randn(4, 3)).detach()
            ((self.critic(fake).mean() - self.critic(real).mean()) / len(reals)).backward()
        self.opt_c.step()

    def maker_turn(self):
        self.opt_m.zero_grad()
        for _ in range(self.accum):
            (-self.critic(self.maker(torch.randn(4, 3))).mean() / self.accum).backward()
        self.opt_m.step()

    def fit(self, groups, epochs):
        for epoch in range(epochs):
            for turn, reals in enumerate(groups):
                self.critic_turn(reals)
                if turn % self.every == 0:
                    self.maker_turn()
""",
    "a critic of windows that is never cleared": """
import torch
from torch import nn


class Pair:
    def __init__(self, accum=2, every=3):
        self.accum, self.every = accum, every
        self.critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
        self.maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.opt_m = torch.optim.Adam(self.maker.parameters(), lr=1e-3)

    def critic_turn(self, reals):
        for real in reals:
            fake = self.maker(torch.randn(4, 3)).detach()
            ((self.critic(fake).mean() - self.critic(real).mean()) / len(reals)).backward()
        self.opt_c.step()

    def maker_turn(self):
        self.opt_m.zero_grad()
        for _ in range(self.accum):
            (-self.critic(self.maker(torch.randn(4, 3))).mean() / self.accum).backward()
        self.opt_m.step()

    def fit(self, groups, epochs):
        for epoch in range(epochs):
            for turn, reals in enumerate(groups):
                self.critic_turn(reals)
                if turn % self.every == 0:
                    self.maker_turn()
""",
    "a critic of windows that is cleared before its step": """
import torch
from torch import nn


class Pair:
    def __init__(self, accum=2, every=3):
        self.accum, self.every = accum, every
        self.critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
        self.maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.opt_m = torch.optim.Adam(self.maker.parameters(), lr=1e-3)

    def critic_turn(self, reals):
        for real in reals:
            fake = self.maker(torch.randn(4, 3)).detach()
            ((self.critic(fake).mean() - self.critic(real).mean()) / len(reals)).backward()
        self.opt_c.zero_grad()
        self.opt_c.step()

    def maker_turn(self):
        self.opt_m.zero_grad()
        for _ in range(self.accum):
            (-self.critic(self.maker(torch.randn(4, 3))).mean() / self.accum).backward()
        self.opt_m.step()

    def fit(self, groups, epochs):
        for epoch in range(epochs):
            for turn, reals in enumerate(groups):
                self.critic_turn(reals)
                if turn % self.every == 0:
                    self.maker_turn()
""",
    "a critic whose window ends with the maker's turn": """
import torch
from torch import nn


def train(loader, accum=4):
    critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
    opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
    for i, real in enumerate(loader):
        opt_c.zero_grad()
        fake = maker(torch.randn(4, 3)).detach()
        ((critic(fake).mean() - critic(real).mean()) / accum).backward()
        if (i + 1) % accum == 0:
            opt_c.step()
            for _ in range(accum):
                (-critic(maker(torch.randn(4, 3))).mean() / accum).backward()
            opt_m.step()
            opt_m.zero_grad()
""",
    "two networks that have nothing in common": """
import torch
from torch import nn


def train(groups, every=2, accum=2):
    critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
    opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
    for turn, reals in enumerate(groups):
        for real in reals:
            opt_c.zero_grad()
            (critic(real).square().mean() / len(reals)).backward()
        opt_c.step()
        if turn % every == 0:
            opt_m.zero_grad()
            for _ in range(accum):
                (maker(torch.randn(4, 3)).square().mean() / accum).backward()
            opt_m.step()
""",
    "two schedules that both move too early": """
import torch
from torch import nn


def train(loader, epochs):
    critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
    opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
    sched_c = torch.optim.lr_scheduler.StepLR(opt_c, 10)
    sched_m = torch.optim.lr_scheduler.StepLR(opt_m, 10)
    for epoch in range(epochs):
        sched_c.step()
        sched_m.step()
        for turn, real in enumerate(loader):
            opt_c.zero_grad()
            fake = maker(torch.randn(4, 3)).detach()
            (critic(fake).mean() - critic(real).mean()).backward()
            opt_c.step()
            if turn % 5 == 4:
                opt_m.zero_grad()
                (-critic(maker(torch.randn(4, 3))).mean()).backward()
                opt_m.step()
""",
    "a schedule beside one that is told the epoch": """
import torch
from torch import nn


def train(loader, epochs):
    critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
    opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
    sched_c = torch.optim.lr_scheduler.StepLR(opt_c, 10)
    sched_m = torch.optim.lr_scheduler.StepLR(opt_m, 10)
    for epoch in range(epochs):
        sched_c.step()
        sched_m.step(epoch)
        for turn, real in enumerate(loader):
            opt_c.zero_grad()
            fake = maker(torch.randn(4, 3)).detach()
            (critic(fake).mean() - critic(real).mean()).backward()
            opt_c.step()
            if turn % 5 == 4:
                opt_m.zero_grad()
                (-critic(maker(torch.randn(4, 3))).mean()).backward()
                opt_m.step()
""",
    "a schedule beside one that nobody can see": """
import torch
from torch import nn
from src.rates import Warm


def train(loader, epochs):
    critic = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
    maker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
    opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
    sched_c = torch.optim.lr_scheduler.StepLR(opt_c, 10)
    sched_m = Warm(opt_m)
    for epoch in range(epochs):
        sched_c.step()
        sched_m.step()
        for turn, real in enumerate(loader):
            opt_c.zero_grad()
            fake = maker(torch.randn(4, 3)).detach()
            (critic(fake).mean() - critic(real).mean()).backward()
            opt_c.step()
            if turn % 5 == 4:
                opt_m.zero_grad()
                (-critic(maker(torch.randn(4, 3))).mean()).backward()
                opt_m.step()
""",
    "a head that is held still in the first epochs": """
import torch


def train(model, loader, epochs, accum=4):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            (torch.nn.functional.mse_loss(model(x), y) / accum).backward()
            if epoch < 1:
                for p in model.head.parameters():
                    p.grad = None
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
""",
    "keys that are taken behind a backward in autocast": """
import torch


def train(model, loader, losses):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = torch.nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            losses.update(loss.item(), len(x))
            model.bank(model.keys(x))
            optimizer.step()
""",
    "a score that is computed behind a backward in autocast": """
import torch


def train(model, loader, scores):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out = model(x)
            loss = torch.nn.functional.mse_loss(out, y)
            loss.backward()
            optimizer.step()
            with torch.no_grad():
                scores.append((out @ y.t()).diagonal().mean().item())
""",
    "a score behind a backward in an autocast that is held by a name": """
import torch


def train(model, loader, scores):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    cast = torch.autocast("cuda", dtype=torch.bfloat16)
    for x, y in loader:
        optimizer.zero_grad()
        with cast:
            out = model(x)
            loss = torch.nn.functional.mse_loss(out, y)
            loss.backward()
            scores.update(out @ y.t())
        optimizer.step()
""",
    "what is told behind a backward in autocast": """
import torch


def train(model, loader, log):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = torch.nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            if step % 10 == 0:
                log(f"{loss.item():.4f}")
""",
    "one norm of two optimizers' scaled gradients": """
import torch
from torch import nn


def train(trunk, head, loader):
    opt = torch.optim.SGD(trunk.parameters(), lr=0.1)
    head_opt = torch.optim.SGD(head.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        opt.zero_grad()
        head_opt.zero_grad()
        scaler.scale(nn.functional.mse_loss(head(trunk(x)), y)).backward()
        nn.utils.clip_grad_norm_([*trunk.parameters(), *head.parameters()], 1.0)
        scaler.step(opt)
        scaler.step(head_opt)
        scaler.update()
""",
    "one norm of two optimizers' gradients, one of them unscaled": """
import torch
from torch import nn


def train(trunk, head, loader):
    opt = torch.optim.SGD(trunk.parameters(), lr=0.1)
    head_opt = torch.optim.SGD(head.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        opt.zero_grad()
        head_opt.zero_grad()
        scaler.scale(nn.functional.mse_loss(head(trunk(x)), y)).backward()
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_([*trunk.parameters(), *head.parameters()], 1.0)
        scaler.step(opt)
        scaler.step(head_opt)
        scaler.update()
""",
    "one norm of scaled gradients, and one optimizer steps now and then": """
import torch
from torch import nn


def train(trunk, head, loader, frozen):
    opt = torch.optim.SGD(trunk.parameters(), lr=0.1)
    head_opt = torch.optim.SGD(head.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        opt.zero_grad()
        head_opt.zero_grad()
        scaler.scale(nn.functional.mse_loss(head(trunk(x)), y)).backward()
        nn.utils.clip_grad_norm_([*trunk.parameters(), *head.parameters()], 1.0)
        scaler.step(opt)
        if not frozen:
            scaler.step(head_opt)
        scaler.update()
""",
    "one norm of scaled gradients that many steps share in a loop": """
import torch
from torch import nn


def train(nets, loader):
    opts = [torch.optim.SGD(net.parameters(), lr=0.1) for net in nets]
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        for opt in opts:
            opt.zero_grad()
        scaler.scale(sum(nn.functional.mse_loss(net(x), y) for net in nets)).backward()
        nn.utils.clip_grad_norm_([p for net in nets for p in net.parameters()], 1.0)
        for opt in opts:
            scaler.step(opt)
        scaler.update()
""",
    "a step past the scaler behind its update": """
import torch
from torch import nn


def train(trunk, head, loader):
    opt = torch.optim.SGD(trunk.parameters(), lr=0.1)
    head_opt = torch.optim.SGD(head.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        opt.zero_grad()
        head_opt.zero_grad()
        scaler.scale(nn.functional.mse_loss(head(trunk(x)), y)).backward()
        scaler.step(opt)
        scaler.update()
        head_opt.step()
""",
    "a clip and a step past the scaler behind its update": """
import torch
from torch import nn


def train(trunk, head, loader):
    opt = torch.optim.SGD(trunk.parameters(), lr=0.1)
    head_opt = torch.optim.SGD(head.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        opt.zero_grad()
        head_opt.zero_grad()
        scaler.scale(nn.functional.mse_loss(head(trunk(x)), y)).backward()
        scaler.step(opt)
        scaler.update()
        nn.utils.clip_grad_norm_(head.parameters(), 1.0)
        head_opt.step()
""",
    "a step past the scaler now and then, behind its update": """
import torch
from torch import nn


def train(trunk, head, loader):
    opt = torch.optim.SGD(trunk.parameters(), lr=0.1)
    head_opt = torch.optim.SGD(head.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler()
    for i, (x, y) in enumerate(loader):
        opt.zero_grad()
        head_opt.zero_grad()
        scaler.scale(nn.functional.mse_loss(head(trunk(x)), y)).backward()
        scaler.step(opt)
        scaler.update()
        if i % 5 == 0:
            head_opt.step()
""",
    "a step past the scaler in front of its update": """
import torch
from torch import nn


def train(trunk, head, loader):
    opt = torch.optim.SGD(trunk.parameters(), lr=0.1)
    head_opt = torch.optim.SGD(head.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        opt.zero_grad()
        head_opt.zero_grad()
        scaler.scale(nn.functional.mse_loss(head(trunk(x)), y)).backward()
        scaler.step(opt)
        head_opt.step()
        scaler.update()
""",
    "a sleep that is not called, and nobody wakes": """
import torch
from torch import nn


def evaluate(net, held):
    net.eval
    with torch.no_grad():
        return sum(nn.functional.mse_loss(net(x), y).item() for x, y in held)


def train(net, weigh, loader, held):
    opt = torch.optim.SGD([*net.parameters(), *weigh.parameters()], lr=0.1)
    net.train()
    for epoch in range(9):
        for x, y in loader:
            out = net(x)
            losses = {"near": nn.functional.mse_loss(out, y), "small": out.square().mean()}
            opt.zero_grad()
            sum(weigh(losses).values()).backward()
            opt.step()
        print(epoch, evaluate(net, held))
""",
    "a sleep that is not called, and the net is woken": """
import torch
from torch import nn


def evaluate(net, held):
    net.eval
    with torch.no_grad():
        return sum(nn.functional.mse_loss(net(x), y).item() for x, y in held)


def train(net, loader, held):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(9):
        net.train()
        for x, y in loader:
            opt.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            opt.step()
        print(epoch, evaluate(net, held))
""",
    "a clear that is not called in front of the step": """
import torch
from torch import nn


def train(net, loader):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        nn.functional.mse_loss(net(x), y).backward()
        opt.zero_grad
        opt.step()
""",
    "groups that are clipped in each micro-batch": """
import torch


def train(model, loader, accum):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader, 1):
        loss = torch.nn.functional.mse_loss(model(x), y) / accum
        loss.backward()
        for group in opt.param_groups:
            torch.nn.utils.clip_grad_norm_(group["params"], 1.0)
        if i % accum == 0 or i == len(loader):
            opt.step()
            opt.zero_grad()
    print([group["lr"] for group in opt.param_groups])
""",
    "groups that are clipped in each micro-batch, of which the last is read": """
import torch


def train(model, loader, accum):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader, 1):
        loss = torch.nn.functional.mse_loss(model(x), y) / accum
        loss.backward()
        for group in opt.param_groups:
            torch.nn.utils.clip_grad_norm_(group["params"], 1.0)
        if i % accum == 0 or i == len(loader):
            opt.step()
            opt.zero_grad()
    print(group["lr"])
""",
    "groups that are clipped in each micro-batch, of which the last is walked": """
import torch


def train(model, loader, accum):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader, 1):
        loss = torch.nn.functional.mse_loss(model(x), y) / accum
        loss.backward()
        for group in opt.param_groups:
            torch.nn.utils.clip_grad_norm_(group["params"], 1.0)
        if i % accum == 0 or i == len(loader):
            opt.step()
            opt.zero_grad()
    print([group for group in group["params"]])
""",
    "gradients that a helper looks at behind the step": """
import torch


def look(model, seen):
    seen.append(max(p.grad.abs().max().item() for p in model.parameters()))


def train(model, loader, accum, seen):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader, 1):
        loss = torch.nn.functional.mse_loss(model(x), y) / accum
        loss.backward()
        if i % accum == 0 or i == len(loader):
            opt.step()
            look(model, seen)
""",
    "a temperature that is fitted in the evaluation": """
import torch
import torch.nn.functional as F


def train(model, train_loader, val_loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    heat = torch.nn.Parameter(torch.zeros(1))
    heat_opt = torch.optim.SGD([heat], lr=0.1)
    for epoch in range(epochs):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        model.eval()
        total = 0.0
        for x, y in val_loader:
            logits = model(x)
            loss = F.cross_entropy(logits.detach() / heat.exp(), y)
            heat_opt.zero_grad()
            loss.backward()
            heat_opt.step()
            total += loss.item()
        print(total)
""",
    "a temperature that is fitted by what the evaluation computes in one line": """
import torch
import torch.nn.functional as F


def train(model, train_loader, val_loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    heat = torch.nn.Parameter(torch.zeros(1))
    heat_opt = torch.optim.SGD([heat], lr=0.1)
    for epoch in range(epochs):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        model.eval()
        total = 0.0
        for x, y in val_loader:
            loss = F.cross_entropy(model(x).detach() / heat.exp(), y)
            heat_opt.zero_grad()
            loss.backward()
            heat_opt.step()
            total += loss.item()
        print(total)
""",
    "a temperature that a closure fits": """
import torch
import torch.nn.functional as F


def fit_heat(logits, y, heat, opt):
    def closure():
        opt.zero_grad()
        loss = F.cross_entropy(logits / heat.exp(), y)
        loss.backward()
        return loss

    return opt.step(closure).item()


def train(model, train_loader, val_loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    heat = torch.nn.Parameter(torch.zeros(1))
    heat_opt = torch.optim.LBFGS([heat])
    for epoch in range(epochs):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        model.eval()
        total = 0.0
        for x, y in val_loader:
            logits = model(x)
            total += fit_heat(logits.detach(), y, heat, heat_opt)
        print(total)
""",
    "a temperature whose slope a helper asks for": """
import torch
import torch.nn.functional as F


def fit_heat(logits, y, heat):
    loss = F.cross_entropy(logits / heat.exp(), y)
    (slope,) = torch.autograd.grad(loss, heat)
    heat.data -= 0.1 * slope
    return loss.item()


def train(model, train_loader, val_loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    heat = torch.nn.Parameter(torch.zeros(1))
    for epoch in range(epochs):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        model.eval()
        total = 0.0
        for x, y in val_loader:
            logits = model(x)
            total += fit_heat(logits.detach(), y, heat)
        print(total)
""",
    "a scale that is fitted on what the evaluation computes": """
import torch
import torch.nn.functional as F


def train(net, loader, held_out, epochs):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    scale = torch.nn.Parameter(torch.ones(4))
    tuner = torch.optim.Adam([scale], lr=0.01)
    for epoch in range(epochs):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        net.eval()
        for x, y in held_out:
            tuner.zero_grad()
            out = net(x)
            F.cross_entropy(scale * out.data, y).backward()
            tuner.step()
""",
    "an evaluation behind a fit": """
import torch
import torch.nn.functional as F


def train(net, loader, held_out, epochs):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    scale = torch.nn.Parameter(torch.ones(4))
    tuner = torch.optim.Adam([scale], lr=0.01)
    for epoch in range(epochs):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(net(x), y).backward()
            optimizer.step()
        for x, y in held_out:
            tuner.zero_grad()
            F.cross_entropy(scale * x, y).backward()
            tuner.step()
        net.eval()
        total = 0.0
        for x, y in held_out:
            total += F.cross_entropy(net(x) * scale, y).item()
        print(total)
""",
    "a trunk that one of two weighed losses does not teach": """
import torch
import torch.nn.functional as F


def train(melt, weigh, loader):
    opt = torch.optim.SGD(melt.parameters(), lr=0.1)
    weigh_opt = torch.optim.SGD(weigh.parameters(), lr=0.1)
    for x, a, b in loader:
        opt.zero_grad()
        weigh_opt.zero_grad()
        one, two = melt(x)
        losses = weigh([F.mse_loss(one, a), F.mse_loss(two, b)])
        losses[0].backward(retain_graph=True)
        melt.trunk.zero_grad()
        losses[1].backward()
        opt.step()
        weigh_opt.step()
""",
    "two losses with a clear of all between them": """
import torch
import torch.nn.functional as F


def train(melt, loader):
    opt = torch.optim.SGD(melt.parameters(), lr=0.1)
    for x, a, b in loader:
        one, two = melt(x)
        F.mse_loss(one, a).backward(retain_graph=True)
        melt.zero_grad()
        F.mse_loss(two, b).backward()
        opt.step()
""",
    "rates that are noted for each micro-batch": """
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
        sched.step()
""",
    "rates that are noted in a record for each micro-batch": """
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
        record = {"loss": loss.item()}
        record["rate"] = opt.param_groups[0]["lr"]
        losses.append(record)
        sched.step()
    return losses
""",
    "rates that are only printed for each micro-batch": """
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
        sched.step()
        print(sched.get_last_lr()[0], loss.item())
""",
    "rates that are noted with each update": """
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
            lrs.append(sched.get_last_lr()[0])
        sched.step()
    return lrs
""",
    "rates that are noted at the end of each epoch": """
import torch
import torch.nn.functional as F


def run(model, loader, epochs, accum=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=epochs * (len(loader) // accum))
    lrs = []
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            loss = F.mse_loss(model(x), y)
            (loss / accum).backward()
            if (i + 1) % accum == 0:
                opt.step()
                opt.zero_grad()
            sched.step()
        opt.zero_grad()
        lrs.append(sched.get_last_lr()[0])
    return lrs
""",
    "a rate that is counted from one": """
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
""",
    "a rate that is counted from one by a function": """
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
""",
    "rates in a list, the first for turn one": """
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
""",
    "a rate whose peak is at one": """
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
""",
    "since which epoch it moves is a setting": """
import torch
import torch.nn.functional as F


class Settings:
    decay_from = -1
    epochs = 40


def fit(net, loader):
    opt = torch.optim.Adam(net.parameters(), lr=1e-4)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.98)
    for epoch in range(Settings.epochs):
        if epoch > Settings.decay_from:
            sched.step()
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(net(x), y).backward()
            opt.step()
""",
    "a plain decay at the head of each turn, counted from one": """
import torch
import torch.nn.functional as F


def train(model, loader, turns):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda turn: 0.95**turn)
    for turn in range(1, turns + 1):
        sched.step()
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(model(x), y).backward()
            opt.step()
""",
    "a line that goes down at the head of each turn": """
import torch
import torch.nn.functional as F


def train(model, loader, turns):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda turn: 1 - turn / turns)
    for turn in range(1, turns + 1):
        sched.step()
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(model(x), y).backward()
            opt.step()
""",
    "steps at the head of each turn, counted from one": """
import torch
import torch.nn.functional as F


def train(model, loader, turns):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.StepLR(opt, 10)
    for turn in range(1, turns + 1):
        sched.step()
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(model(x), y).backward()
            opt.step()
""",
    "half a cosine at the head of each turn, counted from one": """
import torch
import torch.nn.functional as F


def train(model, loader, turns):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, turns)
    for turn in range(1, turns + 1):
        sched.step()
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(model(x), y).backward()
            opt.step()
""",
    "a warm-up by one more than its count": """
import torch
import torch.nn.functional as F


def train(model, loader, turns):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda turn: min(1, (turn + 1) / 5))
    for turn in range(1, turns + 1):
        sched.step()
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(model(x), y).backward()
            opt.step()
""",
    "a count that is kept from being nought": """
import torch
import torch.nn.functional as F


def train(model, loader, turns):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda turn: 1 / max(turn, 1))
    for turn in range(1, turns + 1):
        sched.step()
        for x, y in loader:
            opt.zero_grad()
            F.mse_loss(model(x), y).backward()
            opt.step()
""",
    "optimizers of one scaler that is never updated": """
import torch


def train(near, far, loader):
    nets = {"near": near, "far": far}
    opts = {key: torch.optim.SGD(net.parameters(), lr=0.1) for key, net in nets.items()}
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        for opt in opts.values():
            opt.zero_grad()
        loss = torch.nn.functional.mse_loss(near(x) + far(x), y)
        scaler.scale(loss).backward()
        for opt in opts.values():
            scaler.step(opt)
""",
    "optimizers of one scaler that is never updated, each with a backward": """
import torch


def train(near, far, loader):
    nets = {"near": near, "far": far}
    opts = {key: torch.optim.SGD(net.parameters(), lr=0.1) for key, net in nets.items()}
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        for key, opt in opts.items():
            opt.zero_grad()
            scaler.scale(torch.nn.functional.mse_loss(nets[key](x), y)).backward()
            scaler.step(opt)
""",
    "a clear that is not called in a window whose rest is kept": """
import torch


def train(model, loader, accum):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        (torch.nn.functional.mse_loss(model(x), y) / accum).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad
""",
    "a count that is kept from being nought, right at the step": """
import torch
import torch.nn.functional as F


def noam(step, width=24, warmup=20):
    step = max(step, 1)
    return width**-0.5 * min(step**-0.5, step * warmup**-1.5)


def train(model, loader):
    opt = torch.optim.Adam(model.parameters(), lr=1.0)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, noam)
    for x, y in loader:
        opt.zero_grad()
        F.mse_loss(model(x), y).backward()
        sched.step()
        opt.step()
""",
    "a schedule whose function is as long as the updates": """
import math
import torch


def fade(total):
    def factor(n):
        return 1 - n / total

    return factor


def train(model, loader, epochs, accum, every=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    updates = epochs * math.ceil(len(loader) / accum)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, fade(updates))
    for _ in range(epochs):
        for i, (x, y) in enumerate(loader, 1):
            (torch.nn.functional.mse_loss(model(x), y) / accum).backward()
            sched.step()
            if i % accum == 0 or i == len(loader):
                opt.step()
                opt.zero_grad()
""",
    "a schedule whose function multiplies the updates by the window": """
import math
import torch


def fade(total, size):
    def factor(n):
        return 1 - n / (total * size)

    return factor


def train(model, loader, epochs, accum, every=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    updates = epochs * math.ceil(len(loader) / accum)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, fade(updates, accum))
    for _ in range(epochs):
        for i, (x, y) in enumerate(loader, 1):
            (torch.nn.functional.mse_loss(model(x), y) / accum).backward()
            sched.step()
            if i % accum == 0 or i == len(loader):
                opt.step()
                opt.zero_grad()
""",
    "a schedule whose function divides its count by the window": """
import math
import torch


def fade(total, size):
    def factor(n):
        return 1 - n / size / total

    return factor


def train(model, loader, epochs, accum, every=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    updates = epochs * math.ceil(len(loader) / accum)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, fade(updates, accum))
    for _ in range(epochs):
        for i, (x, y) in enumerate(loader, 1):
            (torch.nn.functional.mse_loss(model(x), y) / accum).backward()
            sched.step()
            if i % accum == 0 or i == len(loader):
                opt.step()
                opt.zero_grad()
""",
    "a schedule whose function makes whole windows of its count": """
import math
import torch


def train(model, loader, epochs, accum, every=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    updates = epochs * math.ceil(len(loader) / accum)
    def fade(n):
        return 1 - (n // every) / updates

    sched = torch.optim.lr_scheduler.LambdaLR(opt, fade)
    for _ in range(epochs):
        for i, (x, y) in enumerate(loader, 1):
            (torch.nn.functional.mse_loss(model(x), y) / accum).backward()
            sched.step()
            if i % accum == 0 or i == len(loader):
                opt.step()
                opt.zero_grad()
""",
    "a schedule whose partial function is as long as all micro-batches": """
import math
import torch


from functools import partial


def fade(n, total):
    return 1 - n / total


def train(model, loader, epochs, accum, every=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    updates = epochs * math.ceil(len(loader) / accum)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, partial(fade, total=updates * accum))
    for _ in range(epochs):
        for i, (x, y) in enumerate(loader, 1):
            (torch.nn.functional.mse_loss(model(x), y) / accum).backward()
            sched.step()
            if i % accum == 0 or i == len(loader):
                opt.step()
                opt.zero_grad()
""",
    "a rest of DDP that is used behind the loop over a stream": """
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def train(model, stream, optimizer, accumulate):
    pending = 0
    for i, (inputs, targets) in enumerate(stream):
        loss = nn.functional.l1_loss(model(inputs), targets)
        (loss / accumulate).backward()
        pending += 1
        if pending == accumulate:
            optimizer.step()
            optimizer.zero_grad()
            pending = 0
    if pending:
        optimizer.step()
        optimizer.zero_grad()


class Numbers(torch.utils.data.IterableDataset):
    def __iter__(self):
        yield from zip(torch.randn(14, 4), torch.randn(14, 2))


def main():
    dist.init_process_group("gloo")
    model = DistributedDataParallel(nn.Linear(4, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    train(model, torch.utils.data.DataLoader(Numbers(), batch_size=2), optimizer, 3)
""",
    "a rest of DDP behind a loop that may be left early": """
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def train(model, loader, optimizer, accumulate, most):
    pending = 0
    print(len(loader))
    for i, (inputs, targets) in enumerate(loader):
        loss = nn.functional.l1_loss(model(inputs), targets)
        (loss / accumulate).backward()
        pending += 1
        if pending == accumulate:
            optimizer.step()
            optimizer.zero_grad()
            pending = 0
        if loss.item() < most:
            break
    if pending:
        optimizer.step()
        optimizer.zero_grad()


def main(loader, most):
    dist.init_process_group("gloo")
    model = DistributedDataParallel(nn.Linear(4, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    train(model, loader, optimizer, 3, most)
""",
    "a rest of DDP that is used behind the loop": """
import torch
import torch.distributed as dist
from contextlib import nullcontext
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader


def train(model, loader, optimizer, accumulate):
    pending = 0
    for i, (inputs, targets) in enumerate(loader):
        loss = nn.functional.l1_loss(model(inputs), targets)
        (loss / accumulate).backward()
        pending += 1
        if pending == accumulate:
            optimizer.step()
            optimizer.zero_grad()
            pending = 0
    if pending:
        optimizer.step()
        optimizer.zero_grad()


def main(data):
    dist.init_process_group("gloo")
    model = DistributedDataParallel(nn.Linear(4, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    train(model, DataLoader(data, batch_size=2), optimizer, 3)
""",
    "two optimizers cleared side by side between two losses": """
import torch
from torch import nn
from torch.nn import functional as F


def train(loader):
    body, head = nn.Linear(4, 3), nn.Linear(3, 2)
    slow = torch.optim.SGD(body.parameters(), lr=0.1)
    fast = torch.optim.SGD(head.parameters(), lr=0.3)
    for x, y, z in loader:
        loss = F.mse_loss(head(body(x)), y)
        loss.backward()
        slow.zero_grad()
        fast.zero_grad()
        other = F.l1_loss(head(body(x)), z)
        other.backward()
        slow.step()
        fast.step()
""",
    "a clear beside another, of what was clipped": """
import torch
from torch import nn
from torch.nn import functional as F


def train(loader):
    body, head = nn.Linear(4, 3), nn.Linear(3, 2)
    slow = torch.optim.SGD(body.parameters(), lr=0.1)
    fast = torch.optim.SGD(head.parameters(), lr=0.3)
    for x, y, z in loader:
        loss = F.mse_loss(head(body(x)), y)
        loss.backward()
        nn.utils.clip_grad_norm_(head.parameters(), 1.0)
        slow.zero_grad()
        fast.zero_grad()
        other = F.l1_loss(head(body(x)), z)
        other.backward()
        slow.step()
        fast.step()
""",
    "an evaluation under another name leaves the mode": """
import torch
from torch import nn


def look(net, held, number):
    if number % 50 == 0:
        net.eval()
        with torch.no_grad():
            print(net(held).std())


def main(loader, held):
    model = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.2), nn.Linear(4, 1))
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    for number, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        look(model, held, number)
""",
    "a rollout that plays in evaluation mode": """
import torch
from torch import nn


def play(net, start):
    net.eval()
    with torch.no_grad():
        return [net(start + n) for n in range(3)]


def learn(model, seen, opt):
    for y in seen:
        loss = nn.functional.mse_loss(model(y.mean(1, keepdim=True).expand(-1, 3)), y)
        opt.zero_grad()
        loss.backward()
        opt.step()


def main(start, turns=3):
    model = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.2), nn.Linear(4, 1))
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for turn in range(turns):
        learn(model, play(model, start), opt)
""",
    "a prepared schedule that moves in front of the step": """
import torch
import torch.nn.functional as F
from accelerate import Accelerator


def main(model, data, steps):
    accelerator = Accelerator(gradient_accumulation_steps=4)
    loader = torch.utils.data.DataLoader(data, batch_size=8)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)
    for x, y in loader:
        with accelerator.accumulate(model):
            loss = F.mse_loss(model(x), y)
            accelerator.backward(loss)
            scheduler.step()
            optimizer.step()
            optimizer.zero_grad()
""",
    "a plain backward in a window that Accelerate counts": """
import torch
import torch.nn.functional as F
from accelerate import Accelerator


def main(model, data, steps):
    accelerator = Accelerator(gradient_accumulation_steps=4)
    loader = torch.utils.data.DataLoader(data, batch_size=8)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)
    for x, y in loader:
        with accelerator.accumulate(model):
            loss = F.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
""",
    "two networks that are evaluated together": """
import torch
import torch.nn.functional as F


def validate(encoder, head, batches):
    encoder.eval()
    head.eval()
    with torch.no_grad():
        return sum(F.mse_loss(head(encoder(x)), y).item() for x, y in batches)


def main(batches, held_out, epochs):
    encoder = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.2))
    head = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.2), torch.nn.Linear(4, 1))
    optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
    for _ in range(epochs):
        for x, y in batches:
            F.mse_loss(head(encoder(x)), y).backward()
            optimizer.step()
            optimizer.zero_grad()
        print(validate(encoder, head, held_out))
""",
    "two networks that are evaluated together, one of them at rest since it was trained": """
import torch
import torch.nn.functional as F


def validate(encoder, head, batches):
    encoder.eval()
    head.eval()
    with torch.no_grad():
        return sum(F.mse_loss(head(encoder(x)), y).item() for x, y in batches)


def main(batches, held_out, epochs):
    encoder = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.2))
    first = torch.optim.SGD(encoder.parameters(), lr=0.1)
    for x, y in batches:
        F.mse_loss(encoder(x), x).backward()
        first.step()
        first.zero_grad()
    head = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.2), torch.nn.Linear(4, 1))
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    encoder.eval()
    for _ in range(epochs):
        for x, y in batches:
            with torch.no_grad():
                seen = encoder(x)
            F.mse_loss(head(seen), y).backward()
            optimizer.step()
            optimizer.zero_grad()
        print(validate(encoder, head, held_out))
""",
    "a method that sets the mode, a part of it at rest, and is called once": """
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, loader, held_out):
        self.model, self.loader, self.held_out = model, loader, held_out
        self.body_opt = torch.optim.SGD(model.body.parameters(), lr=0.1)
        self.head_opt = torch.optim.SGD(model.head.parameters(), lr=0.1)
        self.schedulers = [torch.optim.lr_scheduler.StepLR(opt, 2) for opt in (self.body_opt, self.head_opt)]

    def set_mode(self):
        self.model.train()
        self.model.stem.eval()

    def learn(self, x, y):
        self.body_opt.zero_grad()
        self.head_opt.zero_grad()
        F.mse_loss(self.model(x), y).backward()
        self.body_opt.step()
        self.head_opt.step()

    def validate(self):
        self.model.eval()
        with torch.no_grad():
            return sum(F.mse_loss(self.model(x), y).item() for x, y in self.held_out)

    def fit(self, epochs):
        self.set_mode()
        for _ in range(epochs):
            for x, y in self.loader:
                self.learn(x, y)
            for scheduler in self.schedulers:
                scheduler.step()
            print(self.validate())
""",
    "schedules that move one after the other, at the head of the epoch": """
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, loader, held_out):
        self.model, self.loader, self.held_out = model, loader, held_out
        self.body_opt = torch.optim.SGD(model.body.parameters(), lr=0.1)
        self.head_opt = torch.optim.SGD(model.head.parameters(), lr=0.1)
        self.schedulers = [torch.optim.lr_scheduler.StepLR(opt, 2) for opt in (self.body_opt, self.head_opt)]

    def set_mode(self):
        self.model.train()
        self.model.stem.eval()

    def learn(self, x, y):
        self.body_opt.zero_grad()
        self.head_opt.zero_grad()
        F.mse_loss(self.model(x), y).backward()
        self.body_opt.step()
        self.head_opt.step()

    def validate(self):
        self.model.eval()
        with torch.no_grad():
            return sum(F.mse_loss(self.model(x), y).item() for x, y in self.held_out)

    def fit(self, epochs):
        for epoch in range(epochs):
            for scheduler in self.schedulers:
                scheduler.step()
            self.set_mode()
            for x, y in self.loader:
                self.learn(x, y)
            print(self.validate())
""",
    "schedules that move one after the other, and are kept at the end of the epoch": """
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, loader, held_out):
        self.model, self.loader, self.held_out = model, loader, held_out
        self.body_opt = torch.optim.SGD(model.body.parameters(), lr=0.1)
        self.head_opt = torch.optim.SGD(model.head.parameters(), lr=0.1)
        self.schedulers = [torch.optim.lr_scheduler.StepLR(opt, 2) for opt in (self.body_opt, self.head_opt)]

    def set_mode(self):
        self.model.train()
        self.model.stem.eval()

    def learn(self, x, y):
        self.body_opt.zero_grad()
        self.head_opt.zero_grad()
        F.mse_loss(self.model(x), y).backward()
        self.body_opt.step()
        self.head_opt.step()

    def validate(self):
        self.model.eval()
        with torch.no_grad():
            return sum(F.mse_loss(self.model(x), y).item() for x, y in self.held_out)

    def fit(self, epochs):
        for epoch in range(epochs):
            for scheduler in self.schedulers:
                scheduler.step()
            self.set_mode()
            for x, y in self.loader:
                self.learn(x, y)
            print(self.validate())
            torch.save([one.state_dict() for one in self.schedulers], f"{epoch}.pt")
""",
    "schedules that move one after the other, and are handed on at the end of the epoch": """
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, loader, held_out):
        self.model, self.loader, self.held_out = model, loader, held_out
        self.body_opt = torch.optim.SGD(model.body.parameters(), lr=0.1)
        self.head_opt = torch.optim.SGD(model.head.parameters(), lr=0.1)
        self.schedulers = [torch.optim.lr_scheduler.StepLR(opt, 2) for opt in (self.body_opt, self.head_opt)]

    def set_mode(self):
        self.model.train()
        self.model.stem.eval()

    def learn(self, x, y):
        self.body_opt.zero_grad()
        self.head_opt.zero_grad()
        F.mse_loss(self.model(x), y).backward()
        self.body_opt.step()
        self.head_opt.step()

    def validate(self):
        self.model.eval()
        with torch.no_grad():
            return sum(F.mse_loss(self.model(x), y).item() for x, y in self.held_out)

    def fit(self, epochs):
        for epoch in range(epochs):
            for scheduler in self.schedulers:
                scheduler.step()
            self.set_mode()
            for x, y in self.loader:
                self.learn(x, y)
            print(self.validate())
            self.report(self.schedulers)
""",
    "a filter that is used up, beside a method under no_grad": """
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, loader, held_out):
        self.model, self.loader, self.held_out = model, loader, held_out
        self.body_opt = torch.optim.SGD(model.body.parameters(), lr=0.1)
        self.head_opt = torch.optim.SGD(model.head.parameters(), lr=0.1)
        self.schedulers = [torch.optim.lr_scheduler.StepLR(opt, 2) for opt in (self.body_opt, self.head_opt)]
        self.trained = filter(lambda p: p.requires_grad, model.parameters())

    def set_mode(self):
        self.model.train()
        self.model.stem.eval()

    def learn(self, x, y):
        self.body_opt.zero_grad()
        self.head_opt.zero_grad()
        F.mse_loss(self.model(x), y).backward()
        torch.nn.utils.clip_grad_norm_(self.trained, 1.0)
        self.body_opt.step()
        self.head_opt.step()

    @torch.no_grad()
    def follow(self):
        for mine, theirs in zip(self.copy.parameters(), self.model.parameters()):
            mine.lerp_(theirs, self.share())

    def share(self):
        return 0.01

    def validate(self):
        self.model.eval()
        with torch.no_grad():
            return sum(F.mse_loss(self.model(x), y).item() for x, y in self.held_out)

    def fit(self, epochs):
        for _ in range(epochs):
            self.set_mode()
            for x, y in self.loader:
                self.learn(x, y)
            self.follow()
            for scheduler in self.schedulers:
                scheduler.step()
            print(self.validate())
""",
    "a filter that is used up, beside a method that freezes": """
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, loader, held_out):
        self.model, self.loader, self.held_out = model, loader, held_out
        self.body_opt = torch.optim.SGD(model.body.parameters(), lr=0.1)
        self.head_opt = torch.optim.SGD(model.head.parameters(), lr=0.1)
        self.schedulers = [torch.optim.lr_scheduler.StepLR(opt, 2) for opt in (self.body_opt, self.head_opt)]
        self.trained = filter(lambda p: p.requires_grad, model.parameters())

    def set_mode(self):
        self.model.train()
        self.model.stem.eval()

    @torch.no_grad()
    def prepare(self):
        self.rest()

    def rest(self):
        self.model.stem.requires_grad_(False)

    def learn(self, x, y):
        self.body_opt.zero_grad()
        self.head_opt.zero_grad()
        F.mse_loss(self.model(x), y).backward()
        torch.nn.utils.clip_grad_norm_(self.trained, 1.0)
        self.body_opt.step()
        self.head_opt.step()

    @torch.no_grad()
    def follow(self):
        for mine, theirs in zip(self.copy.parameters(), self.model.parameters()):
            mine.lerp_(theirs, self.share())

    def share(self):
        return 0.01

    def validate(self):
        self.model.eval()
        with torch.no_grad():
            return sum(F.mse_loss(self.model(x), y).item() for x, y in self.held_out)

    def fit(self, epochs):
        for _ in range(epochs):
            self.set_mode()
            self.prepare()
            for x, y in self.loader:
                self.learn(x, y)
            self.follow()
            for scheduler in self.schedulers:
                scheduler.step()
            print(self.validate())
""",
    "a schedule that moves first, as before PyTorch 1.1": """
import torch


def train(net, loader, epochs):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, float(epochs))
    for epoch in range(epochs):
        sched.step()
        print("lr", sched.get_lr()[0])
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            opt.step()
""",
    "a field of another file that answers with its normals": """
import torch
from field import Field


def train(loader, shown, epochs=1):
    model = Field()
    opt = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        model.eval()
        parts = []
        for points in shown:
            out = model(points)
            parts.append({"value": out["value"].detach(), "normal_map": out["normal_map"].detach()})
        model.train()
        for points in loader:
            out = model(points)
            loss = out["value"].pow(2).mean() + (out["normal_map"].norm(dim=1) - 1).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
    return parts
""",
    "a first pass whose summed gradients an optimizer of one's own keeps": """
import torch


class Reduced(torch.optim.SGD):
    def keep(self):
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    self.state[parameter]["before"] = parameter.grad.clone()


def train(model, windows, accum, exact=False):
    opt = Reduced(model.parameters(), lr=0.1)
    before = None
    for window in windows:
        if exact and before is not None:
            for micro in range(accum):
                x, y = before[micro]
                torch.nn.functional.mse_loss(model(x), y).backward()
            opt.keep()
            opt.zero_grad()
        for micro in range(accum):
            x, y = window[micro]
            torch.nn.functional.mse_loss(model(x), y).backward()
        opt.step()
        opt.zero_grad()
        before = window
""",
    "an evaluation that asks for the same remainder as the guard": """
import torch


def train(model, loader, evaluate, accum, every):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    updates = 0
    for epoch in range(3):
        opt.zero_grad()
        for step, (x, y) in enumerate(loader):
            model.train()
            (torch.nn.functional.mse_loss(model(x), y) / accum).backward()
            if step % accum == 0:
                opt.step()
                opt.zero_grad()
                updates += 1
            if step + 1 == len(loader) or (updates % every == 0 and step % accum == 0):
                evaluate(model)
""",
    "a trunk that is woken in a later epoch": """
import torch
from torch import nn
from torch.nn.functional import mse_loss


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(self.trunk(x))


def validate(model, held):
    model.eval()
    with torch.no_grad():
        return sum(mse_loss(model(x), y).item() for x, y in held)


def train(shown, held):
    model = Net()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    model.trunk.eval()
    for epoch in range(9):
        if epoch == 5:
            model.trunk.train()
        for x, y in shown:
            opt.zero_grad()
            mse_loss(model(x), y).backward()
            opt.step()
        validate(model, held)
""",
    "a trunk that its owner keeps in eval mode": """
import torch
from torch import nn
from torch.nn.functional import mse_loss


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(self.trunk(x))


class Solver:
    def __init__(self, net):
        self.net = net
        self.net.trunk.eval()
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)

    def step(self, x, y):
        self.opt.zero_grad()
        mse_loss(self.net(x), y).backward()
        self.opt.step()

    def check(self, held):
        self.net.eval()
        with torch.no_grad():
            return sum(mse_loss(self.net(x), y).item() for x, y in held)


def train(shown, held):
    solver = Solver(Net())
    for epoch in range(9):
        for x, y in shown:
            solver.step(x, y)
        solver.check(held)
""",
    "gradients that an object has left which a step calls": """
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
            for x, y in self.points:
                self.polish.zero_grad()
                (nn.functional.l1_loss(self.net(x), y) / len(self.points)).backward()
            self.polish.step()


def main(points):
    fit = Fit(nn.Linear(3, 1), points)
    for _ in range(9):
        fit.solver.step(fit)
    fit.refine()
""",
    "gradients that an object has left which a step calls, and nothing clears": """
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
            for x, y in self.points:
                (nn.functional.l1_loss(self.net(x), y) / len(self.points)).backward()
            self.polish.step()


def main(points):
    fit = Fit(nn.Linear(3, 1), points)
    for _ in range(9):
        fit.solver.step(fit)
    fit.refine()
""",
    "gradients that a closure out of sight has left in front of rounds": """
import torch
from torch import nn


def fit(net, points, closure):
    solver = torch.optim.LBFGS(net.parameters())
    polish = torch.optim.SGD(net.parameters(), lr=0.1)
    solver.step(closure)
    for _ in range(5):
        for x, y in points:
            (nn.functional.mse_loss(net(x), y) / len(points)).backward()
        polish.step()
""",
    "gradients that a closure out of sight has left in front of counted windows": """
import torch
from torch import nn


def fit(net, points, closure):
    solver = torch.optim.LBFGS(net.parameters())
    polish = torch.optim.SGD(net.parameters(), lr=0.1)
    solver.step(closure)
    for i, (x, y) in enumerate(points):
        (nn.functional.mse_loss(net(x), y) / 4).backward()
        if (i + 1) % 4 == 0:
            polish.step()
""",
    "gradients that a closure out of sight has left, and the network is cleared": """
import torch
from torch import nn


def fit(net, points, closure):
    solver = torch.optim.LBFGS(net.parameters())
    polish = torch.optim.SGD(net.parameters(), lr=0.1)
    solver.step(closure)
    net.zero_grad()
    for i, (x, y) in enumerate(points):
        (nn.functional.mse_loss(net(x), y) / 4).backward()
        if (i + 1) % 4 == 0:
            polish.step()
""",
    "gradients that another method has left in front of rounds": """
import torch
from torch import nn


class Fit:
    def __init__(self, net, points):
        self.net, self.points = net, points
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)

    def begin(self):
        for x, y in self.points:
            self.opt.zero_grad()
            nn.functional.mse_loss(self.net(x), y).backward()
            self.opt.step()

    def refine(self, rounds):
        for _ in range(rounds):
            for x, y in self.points:
                self.opt.zero_grad()
                (nn.functional.l1_loss(self.net(x), y) / len(self.points)).backward()
            self.opt.step()
""",
    "one of several heads that rests in the first epoch": """
import torch
from torch import nn


def train(loader, epochs):
    trunk = nn.Linear(3, 3)
    heads = nn.ModuleDict({"slow": nn.Linear(3, 1), "fast": nn.Linear(3, 1)})
    opts = {name: torch.optim.Adam(head.parameters()) for name, head in heads.items()}
    opts["trunk"] = torch.optim.SGD(trunk.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, y in loader:
            h = trunk(x)
            sum(nn.functional.mse_loss(head(h), y) for head in heads.values()).backward()
            if epoch == 0:
                heads["slow"].zero_grad()
            for opt in opts.values():
                opt.step()
            for opt in opts.values():
                opt.zero_grad()
""",
    "one of several heads that rests in the first epoch, by its optimizer": """
import torch
from torch import nn


def train(loader, epochs):
    trunk = nn.Linear(3, 3)
    heads = nn.ModuleDict({"slow": nn.Linear(3, 1), "fast": nn.Linear(3, 1)})
    opts = {name: torch.optim.Adam(head.parameters()) for name, head in heads.items()}
    opts["trunk"] = torch.optim.SGD(trunk.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, y in loader:
            h = trunk(x)
            sum(nn.functional.mse_loss(head(h), y) for head in heads.values()).backward()
            if epoch == 0:
                opts["slow"].zero_grad()
            for opt in opts.values():
                opt.step()
            for opt in opts.values():
                opt.zero_grad()
""",
    "one of several heads that always rests": """
import torch
from torch import nn


def train(loader, epochs):
    trunk = nn.Linear(3, 3)
    heads = nn.ModuleDict({"slow": nn.Linear(3, 1), "fast": nn.Linear(3, 1)})
    opts = {name: torch.optim.Adam(head.parameters()) for name, head in heads.items()}
    opts["trunk"] = torch.optim.SGD(trunk.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, y in loader:
            h = trunk(x)
            sum(nn.functional.mse_loss(head(h), y) for head in heads.values()).backward()
            heads["slow"].zero_grad()
            for opt in opts.values():
                opt.step()
            for opt in opts.values():
                opt.zero_grad()
""",
}

_RANKER = """
import torch
import elsewhere
from torch import nn


class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(5, 10), nn.BatchNorm1d(10), nn.ReLU())
        self.score = nn.Linear(10, 1)
        pass  # made

    def forward(self, x):
        return self.score(self.trunk(x))

    pass  # methods


def hold_still(part):
    part.eval()
    for p in part.parameters():
        p.requires_grad_(False)
    return part


def freeze(part):
    for p in part.parameters():
        p.requires_grad_(False)


def silence(module):
    if isinstance(module, nn.BatchNorm1d):
        module.eval()


def embed(part, x):
    part.eval()
    answer = part(x)
    part.train()
    return answer


def judge(net, x, y):
    net.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(net(x), y).item()


def train(shown, x, y, names):
    net = Ranker()
    pass  # told
    opt = torch.optim.Adam(net.parameters(), lr=0.02)
    for epoch in range(3):
        for a, b in shown:
            opt.zero_grad()
            nn.functional.mse_loss(net(a), b).backward()
            opt.step()
        print(epoch, judge(net, x, y))
"""


def _ranker(told: str = "", made: str = "", methods: str = "") -> str:
    """A loop that leaves its network asleep, with what is done to the network or a part of it before."""
    text = _RANKER
    for mark, lines in (("told", told), ("made", made), ("methods", methods)):
        *_, row = text.partition(f"pass  # {mark}")[0].rsplit("\n", 1)
        text = text.replace(f"pass  # {mark}", lines.replace("\n", f"\n{row}") or "pass")
    for helper in ("hold_still(part)", "freeze(part)", "silence(module)", "embed(part, x)"):
        if text.count(helper.partition("(")[0]) == 1:
            head, _, rest = text.partition(f"def {helper}:")
            text = head + rest.partition("\n\n\n")[2]
    return text


LOOPS |= {
    "a trunk that a helper holds still": _ranker("hold_still(net.trunk)"),
    "a trunk that its network hands to a helper": _ranker(made="hold_still(self.trunk)"),
    "a trunk that its network puts to sleep once": _ranker(made="self.trunk.eval()"),
    "a trunk that is put to sleep under another name": _ranker("trunk = net.trunk\ntrunk.eval()"),
    "a trunk that slept before the network got it": _ranker(
        "trunk = nn.Sequential(nn.Linear(5, 10), nn.BatchNorm1d(10)).eval()\nnet.trunk = trunk"
    ),
    "a trunk whose mode is set": _ranker("net.trunk.training = False"),
    "a trunk that is put to sleep by the class of all modules": _ranker("nn.Module.eval(net.trunk)"),
    "a trunk that is fetched by its name": _ranker('net.get_submodule("trunk").eval()'),
    "parts whose names nobody knows": _ranker("for name in names:\n    getattr(net, name).eval()"),
    "parts that a helper holds still, one by one": _ranker(
        "for name, part in net.named_children():\n    if name != 'score':\n        hold_still(part)"
    ),
    "batch norms that are put to sleep one by one": _ranker("for module in net.modules():\n    silence(module)"),
    "batch norms that are put to sleep wherever they are": _ranker("net.apply(silence)"),
    "batch norms that a method puts to sleep": _ranker(
        "net.silence()",
        methods="def silence(self):\n    for one in self.modules():\n        if isinstance(one, nn.BatchNorm1d):\n"
        "            one.eval()",
    ),
    "a helper of elsewhere that freezes by its name": _ranker("elsewhere.freeze_trunk(net)"),
    "a frozen trunk that nothing has woken": _ranker("freeze(net.trunk)"),
    "a frozen trunk that is put to sleep by itself": _ranker("freeze(net.trunk)\nnet.trunk.eval()"),
    "a frozen trunk, and another part sleeps": _ranker("freeze(net.trunk)\nnet.score.eval()"),
    "some parameters that are frozen, and nothing is woken": _ranker(
        "for name, p in net.named_parameters():\n    if 'trunk' in name:\n        p.requires_grad = False"
    ),
    "a network that nothing is held still of": _ranker(),
    "a trunk that was held still and woken with the whole": _ranker("hold_still(net.trunk)\nnet.train()"),
    "a trunk that is put to sleep, and the whole is woken in the next line": _ranker("net.trunk.eval()\nnet.train()"),
    "a frozen trunk that trains with the whole": _ranker("freeze(net.trunk)\nnet.train()"),
    "a trunk that was frozen and is trained": _ranker(
        "freeze(net.trunk)\nfor p in net.parameters():\n    p.requires_grad_(True)"
    ),
    "a trunk that is put to sleep each time that the whole is woken": _ranker(
        "net.train()",
        methods="def train(self, mode=True):\n    super().train(mode)\n    self.trunk.eval()\n    return self",
    ),
    "a trunk that is told not to train": _ranker("net.trunk.train(False)"),
    "a teacher that is held still": _ranker("teacher = hold_still(Ranker())").replace("(a), b)", "(a), teacher(a))"),
    "a part of a teacher that is held still": _ranker("teacher = Ranker()\nhold_still(teacher.trunk)").replace(
        "(a), b)", "(a), teacher.trunk(a).mean(1))"
    ),
    "a trunk that is asked by itself and woken": _ranker("print(embed(net.trunk, x))"),
}


_IN_TURN = """
import torch
from torch import nn


def finish(scaler, opts, weights):
    nn.utils.clip_grad_norm_(weights, 0.25)
    for o in opts:
        scaler.step(o)
    scaler.update()


def train(body, head, loader):
    slow = torch.optim.SGD(body.parameters(), lr=0.1)
    fast = torch.optim.SGD(head.parameters(), lr=0.5)
    weights = [*body.parameters(), *head.parameters()]
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        for o in (slow, fast):
            o.zero_grad()
        with torch.autocast("cuda"):
            loss = nn.functional.cross_entropy(head(body(x)), y)
        scaler.scale(loss).backward()
        finish(scaler, (slow, fast), weights)
"""

LOOPS |= {
    "one norm of what several optimizers step in turn": _IN_TURN,
    "one norm, and optimizers that are drawn but once": _IN_TURN.replace(
        "finish(scaler, (slow, fast), weights)", "finish(scaler, (o for o in (slow, fast)), weights)"
    ),
    "one norm, and optimizers that are stepped now and then": _IN_TURN.replace(
        "        scaler.step(o)", "        if o.param_groups[0]['lr'] > 0:\n            scaler.step(o)"
    ),
    "a clear in front of a step, whose gradients are read behind it, in a script that is run as such": """
import torch
from torch import nn


class Climber:
    def __init__(self, net):
        self.net, self.seen = net, []
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)

    def note(self):
        self.seen += [p.grad.norm().item() for p in self.net.parameters() if p.grad is not None]

    def update(self, loss):
        loss.backward()
        self.opt.zero_grad()
        self.opt.step()
        self.note()


def main():
    net = nn.Linear(4, 1)
    climber = Climber(net)
    for x, y in [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(9)]:
        climber.update(nn.functional.mse_loss(net(x), y))


if __name__ == "__main__":
    main()
""",
}

_BY_TURNS = """
import torch
from torch import nn


def train(body, head, loader):
    slow = torch.optim.SGD(body.parameters(), lr=0.1)
    fast = torch.optim.SGD(head.parameters(), lr=0.5)
    weights = [*body.parameters(), *head.parameters()]
    scaler = torch.amp.GradScaler("cuda")
    for i, (x, y) in enumerate(loader):
        slow.zero_grad()
        fast.zero_grad()
        with torch.autocast("cuda"):
            loss = nn.functional.cross_entropy(head(body(x)), y)
        scaler.scale(loss).backward()
        nn.utils.clip_grad_norm_(weights, 0.25)
        scaler.step(fast)
        if i % 2 == 0:
            scaler.step(slow)
        scaler.update()
"""

LOOPS |= {
    "one norm, and an optimizer that steps every other time": _BY_TURNS,
    "one norm, and an optimizer that gathers two gradients": _BY_TURNS.replace(
        "        slow.zero_grad()\n", ""
    ).replace("scaler.step(slow)\n", "scaler.step(slow)\n            slow.zero_grad()\n"),
    "one norm, and a scaler that is updated before the second step": _BY_TURNS.replace(
        """        if i % 2 == 0:
            scaler.step(slow)
        scaler.update()
""",
        """        scaler.update()
        if i % 2 == 0:
            scaler.step(slow)
            scaler.update()
""",
    ),
}

_MADE_OR_NOT = """
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, RandomSampler
from torch.utils.data.distributed import DistributedSampler


def sampler_of(data):
    if not dist.is_initialized():
        return None
    return DistributedSampler(data)


def train(model, data, epochs):
    sampler = sampler_of(data)
    loader = DataLoader(data, batch_size=4, sampler=sampler, shuffle=sampler is None)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            opt.step()
"""

LOOPS |= {
    "a sampler that a function makes, or not": _MADE_OR_NOT,
    "a sampler that a function makes, or another": _MADE_OR_NOT.replace("return None", "return RandomSampler(data)"),
    "a sampler that a function makes, or not, and is replaced": _MADE_OR_NOT.replace(
        "    opt = torch", "    if epochs > 9:\n        sampler = loader.batch_sampler\n    opt = torch"
    ),
}

_ROUNDS = """
import torch
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def train(model, data, rounds, epochs):
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=4, sampler=sampler)
    for number in range(rounds):
        opt = torch.optim.SGD(model.parameters(), lr=0.1)
        for epoch in range(epochs):
            for x, y in loader:
                opt.zero_grad()
                torch.nn.functional.mse_loss(model(x), y).backward()
                opt.step()
"""

_PLACES = """
import torch


def train(model, loader, epochs):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    schedule = torch.optim.lr_scheduler.MultiStepLR(opt, milestones=[101, 151])
    for epoch in range(1, epochs + 1):
        schedule.step()
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            opt.step()
"""

_NOISE = """
import torch


@torch.no_grad()
def shake(opt):
    for group in opt.param_groups:
        for p in group["params"]:
            p.add_(torch.randn_like(p), alpha=(2 * group["lr"]) ** 0.5)


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    cooling = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        cooling.step()
        opt.step()
        shake(opt)
"""

LOOPS |= {
    "a sampler that each round goes through in several epochs": _ROUNDS,
    "places of a schedule that are counted from one": _PLACES,
    "a schedule in front of a step, and noise as large as its rate behind it": _NOISE,
}

LOOPS["a schedule in front of a step, and its rate told behind it"] = _NOISE.replace(
    "        shake(opt)\n", '        print("rate %.6f" % cooling.get_last_lr()[0])\n'
)
