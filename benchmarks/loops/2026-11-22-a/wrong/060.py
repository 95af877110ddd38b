import contextlib
import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

from simclr.augment import TwoViews
from simclr.model import ResNetProjector


def nt_xent(z, temperature=0.1):
    z = F.normalize(z, dim=1)
    sim = z @ z.t() / temperature
    sim.fill_diagonal_(float("-inf"))
    n = z.size(0) // 2
    target = torch.cat([torch.arange(n, 2 * n), torch.arange(n)]).to(z.device)
    return F.cross_entropy(sim, target)


def main():
    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    views = TwoViews("/data/stl10")
    loader = DataLoader(views, 256, sampler=DistributedSampler(views), num_workers=8, drop_last=True)
    model = DDP(ResNetProjector().cuda(), device_ids=[rank])
    opt = torch.optim.SGD(model.parameters(), lr=0.6, momentum=0.9, weight_decay=1e-6)
    k = 2
    for epoch in range(500):
        model.train()
        for i, (a, b) in enumerate(loader):
            final = (i + 1) % k == 0 or i == len(loader) - 1
            loss = nt_xent(model(torch.cat([a, b]).cuda())) / k
            with contextlib.nullcontext() if final else model.no_sync():
                loss.backward()
            if final:
                opt.step()
                opt.zero_grad()
        if rank == 0:
            print(epoch, loss.item() * k)
            torch.save(model.module.state_dict(), "simclr.pt")


if __name__ == "__main__":
    main()
