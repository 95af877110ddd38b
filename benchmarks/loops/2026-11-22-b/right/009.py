import math

import horovod.torch as hvd
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

from imagenet.data import TrainFolder
from imagenet.model import resnet50

BATCHES_PER_ALLREDUCE = 4
MICRO = 32


def adjust_lr(optimizer, base, progress, warmup=5, epochs=90):
    if progress < warmup:
        scale = 1 / hvd.size() * (progress * (hvd.size() - 1) / warmup + 1)
    else:
        scale = 0.5 * (1 + math.cos(math.pi * (progress - warmup) / (epochs - warmup)))
    for group in optimizer.param_groups:
        group["lr"] = base * hvd.size() * BATCHES_PER_ALLREDUCE * scale


def main(root, epochs=90, base=0.0125, max_norm=5.0):
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    dataset = TrainFolder(root)
    sampler = DistributedSampler(dataset, num_replicas=hvd.size(), rank=hvd.rank(), drop_last=True)
    loader = DataLoader(dataset, MICRO * BATCHES_PER_ALLREDUCE, sampler=sampler, num_workers=8, drop_last=True)

    model = resnet50().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=base, momentum=0.9, weight_decay=5e-5)
    optimizer = hvd.DistributedOptimizer(
        optimizer,
        named_parameters=model.named_parameters(),
        backward_passes_per_step=BATCHES_PER_ALLREDUCE,
    )
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)

    for epoch in range(epochs):
        model.train()
        sampler.set_epoch(epoch)
        for i, (data, target) in enumerate(loader):
            adjust_lr(optimizer, base, epoch + i / len(loader), epochs=epochs)
            data, target = data.cuda(), target.cuda()
            optimizer.zero_grad()
            for k in range(0, len(data), MICRO):
                loss = F.cross_entropy(model(data[k : k + MICRO]), target[k : k + MICRO])
                (loss / BATCHES_PER_ALLREDUCE).backward()
            optimizer.synchronize()
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            with optimizer.skip_synchronize():
                optimizer.step()
        if hvd.rank() == 0:
            torch.save(model.state_dict(), f"resnet50-{epoch}.pt")
