# === right: one process has a sampler, too, and only several tell it
import torch
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def fit(model, loader, opt, settings):
    for epoch in range(settings.epochs):
        if settings.world_size > 1:
            loader.sampler.set_epoch(epoch)
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            opt.step()


def main(rank, settings, model, data):
    sampler = None
    if settings.world_size > 0:
        sampler = DistributedSampler(data, num_replicas=settings.world_size, rank=rank, shuffle=settings.shuffle)
    loader = DataLoader(data, batch_size=4, sampler=sampler)
    if settings.world_size > 1:
        model = DistributedDataParallel(model, device_ids=[rank])
    fit(model, loader, torch.optim.Adam(model.parameters()), settings)


if __name__ == "__main__":
    settings = parse()
    model, data = build(settings)
    if settings.world_size > 1:
        mp.spawn(main, args=(settings, model, data), nprocs=settings.world_size)
    else:
        main(settings.device, settings, model, data)
# === several processes tell it nothing either
import torch
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def fit(model, loader, opt, settings):
    for epoch in range(settings.epochs):  # <- missing-set-epoch
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            opt.step()


def main(rank, settings, model, data):
    sampler = None
    if settings.world_size > 0:
        sampler = DistributedSampler(data, num_replicas=settings.world_size, rank=rank, shuffle=settings.shuffle)
    loader = DataLoader(data, batch_size=4, sampler=sampler)
    if settings.world_size > 1:
        model = DistributedDataParallel(model, device_ids=[rank])
    fit(model, loader, torch.optim.Adam(model.parameters()), settings)


if __name__ == "__main__":
    settings = parse()
    model, data = build(settings)
    if settings.world_size > 1:
        mp.spawn(main, args=(settings, model, data), nprocs=settings.world_size)
    else:
        main(settings.device, settings, model, data)
# === right: as many as are asked for tell it, and a sampler is always there
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler


def train(model, data, epochs):
    opt = torch.optim.Adam(model.parameters())
    loader = DataLoader(data, batch_size=4, sampler=DistributedSampler(data))
    for epoch in range(epochs):
        if dist.get_world_size() > 1:
            loader.sampler.set_epoch(epoch)
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            opt.step()
# === how many there are is asked for what is printed only
import torch
from torch.utils.data import DataLoader, DistributedSampler


def train(model, data, args):
    opt = torch.optim.Adam(model.parameters())
    loader = DataLoader(data, batch_size=4, sampler=DistributedSampler(data))
    for epoch in range(args.epochs):  # <- missing-set-epoch
        if args.world_size > 1 and epoch % 10 == 0:
            print("epoch", epoch)
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            opt.step()
