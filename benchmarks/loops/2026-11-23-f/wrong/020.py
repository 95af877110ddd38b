import os

import torch
import torch.distributed as dist
import torch.utils.data as tud
from torch import nn


def get_loader(ds, bs):
    sampler = tud.distributed.DistributedSampler(ds)
    return tud.DataLoader(ds, batch_size=bs, sampler=sampler)


def main():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29817")
    dist.init_process_group("gloo", rank=int(os.environ.get("RANK", 0)), world_size=int(os.environ.get("WORLD_SIZE", 1)))
    torch.manual_seed(0)
    ds = tud.TensorDataset(torch.randn(72, 4), torch.randint(0, 2, (72,)))
    loader = get_loader(ds, 12)
    net = nn.parallel.DistributedDataParallel(nn.Linear(4, 2))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    epoch = 0
    while epoch < 4:
        for x, y in loader:
            loss = nn.functional.cross_entropy(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print("epoch", epoch, loss.item())
        epoch += 1
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
