# === Fabric on several devices synchronises for each micro-batch
import torch
from lightning.fabric import Fabric


def main(net, criterion, data, n):
    fabric = Fabric(accelerator="cuda", devices=4, strategy="ddp")
    fabric.launch()
    model, optimizer = fabric.setup(net, torch.optim.SGD(net.parameters(), lr=0.1))
    loader = fabric.setup_dataloaders(data)
    for i, (x, y) in enumerate(loader):
        fabric.backward(criterion(model(x), y) / n)  # <- missing-no-sync
        if (i + 1) % n == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === Fabric on several devices synchronises once in a window
import torch
from lightning.fabric import Fabric


def main(net, criterion, data, n):
    fabric = Fabric(accelerator="cuda", devices=4, strategy="ddp")
    fabric.launch()
    model, optimizer = fabric.setup(net, torch.optim.SGD(net.parameters(), lr=0.1))
    loader = fabric.setup_dataloaders(data)
    for i, (x, y) in enumerate(loader):
        more = (i + 1) % n != 0 and i + 1 != len(loader)
        with fabric.no_backward_sync(model, enabled=more):
            fabric.backward(criterion(model(x), y) / n)
        if not more:
            optimizer.step()
            optimizer.zero_grad()
# === Fabric on one device has nothing to synchronise
import torch
from lightning.fabric import Fabric


def main(net, criterion, data, n):
    fabric = Fabric(accelerator="cuda", devices=1, strategy="ddp")
    model, optimizer = fabric.setup(net, torch.optim.SGD(net.parameters(), lr=0.1))
    loader = fabric.setup_dataloaders(data)
    for i, (x, y) in enumerate(loader):
        fabric.backward(criterion(model(x), y) / n)
        if (i + 1) % n == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a distributed sampler in a sampler of batches is never told the epoch
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler


def train(model, criterion, dataset, optimizer, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_sampler=BatchSampler(sampler, 8, drop_last=True))
    for epoch in range(epochs):  # <- missing-set-epoch
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
# === a distributed sampler in a sampler of batches is told the epoch
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler


def train(model, criterion, dataset, optimizer, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_sampler=BatchSampler(sampler, 8, drop_last=True))
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
# === evaluated every so many steps of an endless loop, the number is an argument, put into training mode once
import itertools
import torch


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    return sum(model(x).mean().item() for x in loader)


def train(model, criterion, loader, held_out, optimizer, every=500):
    model.train()
    for step, (x, y) in enumerate(itertools.cycle(loader), 1):
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
        if step % every == 0:
            print(evaluate(model, held_out))  # <- missing-train-mode


def main(model, criterion, loader, held_out, optimizer):
    train(model, criterion, loader, held_out, optimizer)
# === evaluated every so many steps of an endless loop, put back into training mode
import itertools
import torch


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    return sum(model(x).mean().item() for x in loader)


def train(model, criterion, loader, held_out, optimizer, every=500):
    model.train()
    for step, (x, y) in enumerate(itertools.cycle(loader), 1):
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
        if step % every == 0:
            print(evaluate(model, held_out))
            model.train()


def main(model, criterion, loader, held_out, optimizer):
    train(model, criterion, loader, held_out, optimizer)
# === the network inside of DDP is called
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, criterion, loader):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model.module(x), y).backward()
        optimizer.step()  # <- step-without-sync
# === a method of the network inside of DDP is called
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, criterion, loader):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model.module.encode(x), y).backward()
        optimizer.step()  # <- step-without-sync
# === DDP is called, and a penalty of the network inside of it is added
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, criterion, loader, held_out):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y) + model.module.penalty(x)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        print(sum(model.module(x).mean().item() for x in held_out))
# === the network inside of DDP is called, and gradients are averaged by hand
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, criterion, loader):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model.module(x), y).backward()
        for p in model.parameters():
            dist.all_reduce(p.grad)
            p.grad /= dist.get_world_size()
        optimizer.step()
# === the network is trained before it is put into DDP
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, criterion, loader):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(net(x), y).backward()
        optimizer.step()
    model = DDP(net)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
# === Accelerate is told how to make its DDP, and synchronises for each micro-batch
import torch
from accelerate import Accelerator, DistributedDataParallelKwargs


class Trainer:
    def __init__(self, net, loader, criterion, every):
        settings = DistributedDataParallelKwargs(find_unused_parameters=True)
        self.accelerator = Accelerator(kwargs_handlers=[settings])
        optimizer = torch.optim.AdamW(net.parameters(), lr=1e-4)
        self.net, self.optimizer, self.loader = self.accelerator.prepare(net, optimizer, loader)
        self.criterion, self.every = criterion, every

    def update(self, stream):
        for _ in range(self.every):
            x, y = next(stream)
            loss = self.criterion(self.net(x), y)
            self.accelerator.backward(loss / self.every)  # <- missing-no-sync
        self.accelerator.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()

    def train(self, updates):
        stream = iter(self.loader)
        for _ in range(updates):
            self.update(stream)
# === Accelerate is told how to make its DDP, and two networks synchronise for each micro-batch
import torch
from accelerate import Accelerator
from accelerate.utils import DistributedDataParallelKwargs


def train(image, text, criterion, loader, every):
    accelerator = Accelerator(kwargs_handlers=[DistributedDataParallelKwargs(static_graph=False)])
    first = torch.optim.AdamW(image.parameters(), lr=1e-4)
    second = torch.optim.AdamW(text.parameters(), lr=1e-4)
    image, text, first, second, loader = accelerator.prepare(image, text, first, second, loader)
    for step, (x, y) in enumerate(loader):
        loss = criterion(image(x), text(y))
        accelerator.backward(loss / every)  # <- missing-no-sync
        if (step + 1) % every == 0 or step + 1 == len(loader):
            for optimizer in (first, second):
                optimizer.step()
                optimizer.zero_grad()
# === Accelerate is told how to make its DDP, and synchronises once in a window
import torch
from accelerate import Accelerator, DistributedDataParallelKwargs


def train(net, criterion, loader, every):
    accelerator = Accelerator(kwargs_handlers=[DistributedDataParallelKwargs()])
    net, optimizer, loader = accelerator.prepare(net, torch.optim.AdamW(net.parameters(), lr=1e-4), loader)
    for step, (x, y) in enumerate(loader):
        if (step + 1) % every == 0 or step + 1 == len(loader):
            accelerator.backward(criterion(net(x), y) / every)
            optimizer.step()
            optimizer.zero_grad()
        else:
            with accelerator.no_sync(net):
                accelerator.backward(criterion(net(x), y) / every)
# === Accelerate is told how to make its DDP, and counts the window itself
import torch
from accelerate import Accelerator, DistributedDataParallelKwargs


def train(net, criterion, loader):
    accelerator = Accelerator(
        gradient_accumulation_steps=4, kwargs_handlers=[DistributedDataParallelKwargs(find_unused_parameters=True)]
    )
    net, optimizer, loader = accelerator.prepare(net, torch.optim.AdamW(net.parameters(), lr=1e-4), loader)
    for x, y in loader:
        with accelerator.accumulate(net):
            accelerator.backward(criterion(net(x), y))
            optimizer.step()
            optimizer.zero_grad()
# === nothing says that Accelerate runs more than one process
import torch
from accelerate import Accelerator


def train(net, criterion, loader, every):
    accelerator = Accelerator()
    net, optimizer, loader = accelerator.prepare(net, torch.optim.AdamW(net.parameters(), lr=1e-4), loader)
    for step, (x, y) in enumerate(loader):
        accelerator.backward(criterion(net(x), y) / every)
        if (step + 1) % every == 0 or step + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
# === a distributed sampler, named, in a sampler of batches is never told the epoch
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler


class Trainer:
    def __init__(self, model, dataset, optimizer, world):
        self.model, self.optimizer = model, optimizer
        sampler = DistributedSampler(dataset, num_replicas=world)
        sampler = BatchSampler(sampler=sampler, batch_size=8, drop_last=False)
        self.loader = DataLoader(dataset=dataset, batch_sampler=sampler)

    def train(self, epochs):
        for _ in range(epochs):  # <- missing-set-epoch
            for batch in self.loader:
                self.optimizer.zero_grad()
                self.model(**batch).loss.backward()
                self.optimizer.step()
# === gradients are looked at, and the loss for the log is averaged over the ranks
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, criterion, loader, accum_steps):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        loss.backward()  # <- missing-no-sync, unscaled-accumulation-loss
        if (step + 1) % accum_steps == 0 or step + 1 == len(loader):
            print(max(p.grad.abs().max().item() for p in model.parameters()))
            shown = loss.detach().clone()
            dist.all_reduce(shown, op=dist.ReduceOp.AVG)
            optimizer.step()
            optimizer.zero_grad()
# === an evaluation over the same kind of loader in the midst of a pass
import torch
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data.distributed import DistributedSampler


class Trainer:
    def __init__(self, cfg, model, data):
        self.cfg, self.data = cfg, data
        self.model = DDP(model)
        self.optimizer = torch.optim.SGD(self.model.parameters(), 0.1)

    def loader(self, data):
        return torch.utils.data.DataLoader(data, batch_size=4, sampler=DistributedSampler(data))

    @torch.no_grad()
    def estimate(self, *loaders):
        self.model.eval()
        for loader in loaders:
            for x, y in loader:
                self.model(x, y)
        self.model.train()

    def train(self):
        loader, held_out = self.loader(self.data[0]), self.loader(self.data[1])
        count = 0
        while count < self.cfg.max_iters:  # <- missing-set-epoch
            for x, y in loader:
                if count % self.cfg.every == 0:
                    self.estimate(loader, held_out)
                self.optimizer.zero_grad()
                self.model(x, y).backward()
                self.optimizer.step()
                count += 1
# === a window that grows is gathered under a guard that says so
import numpy as np
import torch
from torch import nn


def train(model, loader, opt, epochs, rank, loss_of):
    accumulate = max(round(64 / opt.batch_size), 1)
    nb = len(loader)
    model = nn.parallel.DistributedDataParallel(model, device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    last_opt_step = -1
    optimizer.zero_grad()
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            ni = i + nb * epoch
            if ni <= 300:
                accumulate = max(1, int(np.interp(ni, [0, 300], [1, 64 / opt.batch_size]).round()))
            loss_of(model(x), y).backward()  # <- missing-no-sync
            if ni - last_opt_step >= accumulate:
                optimizer.step()
                optimizer.zero_grad()
                last_opt_step = ni
# === right: a guard that nobody can compute gathers nothing by its name
import torch
from torch import nn


def train(model, loader, opt, rank, loss_of, ready):
    model = nn.parallel.DistributedDataParallel(model, device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        loss_of(model(x), y).backward()
        if ready(i, opt):
            optimizer.step()
            optimizer.zero_grad()
# === windows counted by hand under Accelerate, in several processes
import torch.nn.functional as F
from accelerate import Accelerator


def train(model, optimizer, loader, steps, accum):
    accelerator = Accelerator()
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    batches = iter(loader)
    for step in range(steps):
        optimizer.zero_grad()
        for _ in range(accum):
            x, y = next(batches)
            accelerator.backward(F.cross_entropy(model(x), y) / accum)  # <- missing-no-sync
        optimizer.step()
        if accelerator.is_main_process:
            print(step)
# === right: Apex puts aside what came before each backward, so each has to be averaged
import torch
from apex import amp
from torch.nn.parallel import DistributedDataParallel


def train(model, loader, criterion, accum):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    model, optimizer = amp.initialize(model, optimizer, opt_level="O1")
    model = DistributedDataParallel(model)
    for epoch in range(3):
        optimizer.zero_grad()
        for step, (x, y) in enumerate(loader):
            loss = criterion(model(x), y) / accum
            with amp.scale_loss(loss, optimizer) as scaled_loss:
                scaled_loss.backward()
            if (step + 1) % accum == 0 or step + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
# === Apex unscales once for each update, and each micro-batch is averaged
import torch
from apex import amp
from torch.nn.parallel import DistributedDataParallel


def train(model, loader, criterion, accum):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    model, optimizer = amp.initialize(model, optimizer, opt_level="O1")
    model = DistributedDataParallel(model)
    for epoch in range(3):
        optimizer.zero_grad()
        for step, (x, y) in enumerate(loader):
            last = (step + 1) % accum == 0 or step + 1 == len(loader)
            loss = criterion(model(x), y) / accum
            with amp.scale_loss(loss, optimizer, delay_unscale=not last) as scaled_loss:
                scaled_loss.backward()  # <- missing-no-sync
            if last:
                optimizer.step()
                optimizer.zero_grad()
# === Apex puts aside what no_sync() left to the last all-reduce
import contextlib

import torch
from apex import amp
from torch.nn.parallel import DistributedDataParallel


def train(model, loader, criterion, accum):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    model, optimizer = amp.initialize(model, optimizer, opt_level="O1")
    model = DistributedDataParallel(model)
    for epoch in range(3):
        optimizer.zero_grad()
        for step, (x, y) in enumerate(loader):
            last = (step + 1) % accum == 0 or step + 1 == len(loader)
            with contextlib.nullcontext() if last else model.no_sync():
                loss = criterion(model(x), y) / accum
                with amp.scale_loss(loss, optimizer) as scaled_loss:
                    scaled_loss.backward()
            if last:
                optimizer.step()  # <- step-without-sync
                optimizer.zero_grad()
# === Accelerate on the device that it is told, the processor or not, in several processes
from accelerate import Accelerator


def train(model, optimizer, batches, criterion, log, accum, steps, cpu=False):
    accelerator = Accelerator(cpu=cpu)
    model, optimizer = accelerator.prepare(model, optimizer)
    for step in range(steps):
        for _ in range(accum):
            x, y = next(batches)
            loss = criterion(model(x), y) / accum
            accelerator.backward(loss)  # <- missing-no-sync
        optimizer.step()
        optimizer.zero_grad()
        if accelerator.is_main_process:
            log(step)
# === Accelerate on the processor of one machine
from accelerate import Accelerator


def train(model, optimizer, batches, criterion, log, accum, steps):
    accelerator = Accelerator(cpu=True)
    model, optimizer = accelerator.prepare(model, optimizer)
    for step in range(steps):
        for _ in range(accum):
            x, y = next(batches)
            loss = criterion(model(x), y) / accum
            accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
        if accelerator.is_main_process:
            log(step)
# === Accelerate on the device that it is told gathers without synchronising
from accelerate import Accelerator


def train(model, optimizer, loader, criterion, log, accum, cpu=False):
    accelerator = Accelerator(cpu=cpu, gradient_accumulation_steps=accum)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for x, y in loader:
        with accelerator.accumulate(model):
            accelerator.backward(criterion(model(x), y))
            optimizer.step()
            optimizer.zero_grad()
        if accelerator.is_main_process:
            log(x)
# === parameters are made alike once, when the trainer is made
import torch
from torch.nn.parallel import DistributedDataParallel as DDP

from dist_tools import sync_params


class Loop:
    def __init__(self, net, loader):
        self.net, self.loader = net, loader
        self._load()
        self.ddp = DDP(net)
        self.opt = torch.optim.AdamW(net.parameters())

    def _load(self):
        self.net.load_state_dict(torch.load("net.pt"))
        sync_params(self.net.parameters())

    def fit(self):
        for x, y in self.loader:
            with self.ddp.no_sync():
                loss = torch.nn.functional.mse_loss(self.ddp(x), y)
            loss.backward()
            self.opt.step()  # <- step-without-sync
            self.opt.zero_grad()
# === right: parameters are made alike now and then
import torch
from torch.nn.parallel import DistributedDataParallel as DDP

from dist_tools import sync_params


class Loop:
    def __init__(self, net, loader):
        self.net, self.loader = net, loader
        self._share()
        self.ddp = DDP(net)
        self.opt = torch.optim.AdamW(net.parameters())

    def _share(self):
        sync_params(self.net.parameters())

    def fit(self):
        for n, (x, y) in enumerate(self.loader):
            with self.ddp.no_sync():
                loss = torch.nn.functional.mse_loss(self.ddp(x), y)
            loss.backward()
            self.opt.step()
            self.opt.zero_grad()
            if n % 16 == 0:
                self._share()
# === right: what averages gradients at each backward is set up when the trainer is made
import torch
from torch.nn.parallel import DistributedDataParallel as DDP

from dist_tools import sync_gradient


class Loop:
    def __init__(self, net, loader):
        self.net, self.loader = net, loader
        self.ddp = DDP(net)
        self.opt = torch.optim.AdamW(net.parameters())
        for p in net.parameters():
            p.register_hook(lambda grad: sync_gradient(grad))

    def fit(self):
        for x, y in self.loader:
            with self.ddp.no_sync():
                loss = torch.nn.functional.mse_loss(self.ddp(x), y)
            loss.backward()
            self.opt.step()
            self.opt.zero_grad()
