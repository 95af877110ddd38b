import torch
import torch.distributed as dist

from pipeline import build_loader, build_model


def grouped(loader, n):
    it = iter(loader)
    while True:
        group = []
        try:
            while len(group) < n:
                group.append(next(it))
        except StopIteration:
            return
        yield group


def worker(rank, world_size, opts):
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    model = build_model(opts)
    if world_size > 1:
        model = torch.nn.parallel.DistributedDataParallel(model, find_unused_parameters=False)
    optimizer = torch.optim.SGD(model.parameters(), lr=opts.lr * world_size, momentum=0.9)
    loss_fn = torch.nn.HuberLoss()

    model.train()
    for group in grouped(build_loader(opts, rank), opts.window):
        optimizer.zero_grad()
        for features, value in group:
            loss = loss_fn(model(features).squeeze(-1), value)
            (loss / len(group)).backward()
        optimizer.step()

    if rank == 0:
        print("final loss", loss.item())
    dist.destroy_process_group()


def launch(opts, world_size=4):
    torch.multiprocessing.spawn(worker, args=(world_size, opts), nprocs=world_size)
