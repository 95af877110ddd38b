import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from data import build_loader
from models import Net
from torch.nn.parallel import DistributedDataParallel as DDP

STEPS = 4


def main():
    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    model = DDP(Net().cuda(), device_ids=[rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    loader = build_loader("pretrain", rank=rank, infinite=True)
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % STEPS == 0
        loss = F.cross_entropy(model(x.cuda()), y.cuda()) / STEPS
        if last:
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        else:
            with model.no_sync():
                loss.backward()
        if i >= 10_000:
            break
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
