from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def quiet(model, enabled):
    if enabled and isinstance(model, DDP):
        return model.no_sync()
    return nullcontext()


def train(args, model, dataset):
    distributed = dist.is_available() and dist.is_initialized()
    sampler = DistributedSampler(dataset) if distributed else None
    loader = DataLoader(dataset, args.batch_size, shuffle=sampler is None, sampler=sampler)
    model.to(args.device)
    if distributed:
        model = DDP(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    criterion = torch.nn.CrossEntropyLoss()

    n = len(loader)
    for epoch in range(args.epochs):
        if sampler is not None:
            sampler.set_epoch(epoch)
        model.train()
        for i, (x, y) in enumerate(loader):
            position = i % args.accum
            window = min(args.accum, n - (i - position))
            is_last = position + 1 == window
            with quiet(model, enabled=not is_last):
                loss = criterion(model(x.to(args.device)), y.to(args.device))
                (loss / window).backward()
            if is_last:
                optimizer.step()
                optimizer.zero_grad()
        print(epoch, loss.item())
