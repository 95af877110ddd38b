# === a method that a launcher runs in each process, where the option is on
import argparse

import torch
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


def get_loader(data, distributed=False):
    if distributed:
        return DataLoader(data, sampler=DistributedSampler(data), batch_size=4)
    return DataLoader(data, shuffle=True, batch_size=4)


class Trainer:
    def __init__(self, args):
        self.args = args
        self.distributed = args.distributed

    def train(self, rank=0):
        self.model = torch.nn.Linear(3, 1)
        if self.distributed:
            torch.distributed.init_process_group("nccl", rank=rank)
            self.model = DDP(self.model)
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.loader = get_loader(range(9), distributed=self.distributed)
        for epoch in range(self.args.epochs):  # <- missing-set-epoch
            self.one_epoch()

    def one_epoch(self):
        for x in self.loader:
            self.opt.zero_grad()
            self.model(x).mean().backward()
            self.opt.step()


def main(args):
    if args.distributed:
        mp.spawn(Trainer(args).train, nprocs=torch.cuda.device_count())
    else:
        Trainer(args).train()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--distributed", action="store_true")
    parser.add_argument("--epochs", type=int, default=3)
    main(parser.parse_args())
# === what a launcher hands on is known in its function
import torch
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, world, accum, limit):
    torch.distributed.init_process_group("nccl", rank=rank, world_size=world)
    model = DDP(torch.nn.Linear(3, 1).to(rank), device_ids=[rank])
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, x in enumerate(batches(rank)):
        (model(x).mean() / 2).backward()  # <- accumulation-divisor-mismatch, missing-no-sync
        if (step + 1) % accum == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
            opt.step()
            opt.zero_grad()


def main():
    world = torch.cuda.device_count()
    mp.spawn(worker, args=(world, 4, 1.0), nprocs=world)


if __name__ == "__main__":
    main()
# === a launcher of a notebook gives no rank
import torch
from accelerate import Accelerator, notebook_launcher


def fit(accum):
    accelerator = Accelerator(gradient_accumulation_steps=accum)
    model, loader = build()
    opt = torch.optim.AdamW(model.parameters())
    model, opt, loader = accelerator.prepare(model, opt, loader)
    for x, y in loader:
        with accelerator.accumulate(model):
            loss = torch.nn.functional.cross_entropy(model(x), y) / accum
            accelerator.backward(loss)  # <- accumulation-divisor-mismatch
            opt.step()
            opt.zero_grad()


notebook_launcher(fit, args=(4,), num_processes=2)
# === right: windows of one are handed to each process
import torch
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, world, accum):
    torch.distributed.init_process_group("nccl", rank=rank, world_size=world)
    model = DDP(torch.nn.Linear(3, 1).to(rank), device_ids=[rank])
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, x in enumerate(batches(rank)):
        model(x).mean().backward()
        if (step + 1) % accum == 0:
            opt.step()
            opt.zero_grad()


def main():
    world = torch.cuda.device_count()
    mp.spawn(worker, args=(world, 1), nprocs=world)


if __name__ == "__main__":
    main()
# === right: a launcher whose function has its sampler told the epoch
import torch
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


class Trainer:
    def __init__(self, options):
        self.options = options

    def train(self, rank):
        torch.distributed.init_process_group("nccl", rank=rank)
        model = DDP(torch.nn.Linear(3, 1).to(rank))
        opt = torch.optim.SGD(model.parameters(), lr=0.1)
        sampler = DistributedSampler(range(9))
        loader = DataLoader(range(9), sampler=sampler, batch_size=4)
        for epoch in range(self.options.epochs):
            sampler.set_epoch(epoch)
            for x in loader:
                opt.zero_grad()
                model(x).mean().backward()
                opt.step()


def main(options):
    mp.start_processes(Trainer(options).train, nprocs=2, start_method="fork")


if __name__ == "__main__":
    main(parse())
# === right: nobody can see what a launcher hands on
import torch
import torch.multiprocessing as mp


def worker(rank, model, accum):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, x in enumerate(batches(rank)):
        (model(x).mean() / accum).backward()
        if (step + 1) % accum == 0:
            opt.step()
            opt.zero_grad()


def main(handed):
    mp.spawn(worker, args=handed, nprocs=2)


if __name__ == "__main__":
    main(parse())
