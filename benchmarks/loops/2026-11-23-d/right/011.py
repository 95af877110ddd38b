import contextlib

import torch
import torch.distributed as dist
from data import Set
from models import Net
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler

ACC = 3


def main():
    dist.init_process_group("nccl")
    train_set = Set("train")
    sampler = DistributedSampler(train_set, shuffle=True)
    loader = DataLoader(train_set, batch_size=4, sampler=sampler)
    net = nn.parallel.DistributedDataParallel(Net().cuda())
    opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for i, (x, y) in enumerate(loader):
            boundary = (i + 1) % ACC == 0 or i + 1 == len(loader)
            with contextlib.nullcontext() if boundary else net.no_sync():
                loss = nn.functional.cross_entropy(net(x.cuda()), y.cuda())
                (loss / ACC).backward()
            if boundary:
                opt.step()
                opt.zero_grad()
        if dist.get_rank() == 0:
            print(epoch, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
