import argparse
import contextlib
import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

from lane.data import CULane
from lane.loss import LaneLoss
from lane.model import UFLD


def main(args):
    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    dataset = CULane(args.root, "train")
    sampler = DistributedSampler(dataset, seed=args.seed)
    loader = DataLoader(dataset, args.batch, sampler=sampler, num_workers=8, drop_last=True)
    net = DDP(UFLD(args.backbone).cuda(rank), device_ids=[rank])
    criterion = LaneLoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=args.lr)
    n_iter = len(loader)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        net.train()
        for i, sample in enumerate(loader):
            image, target = sample["image"].cuda(rank), sample["target"].cuda(rank)
            step_now = (i + 1) % args.accum == 0 or (i + 1) == n_iter
            maybe_no_sync = contextlib.nullcontext if step_now else net.no_sync
            with maybe_no_sync():
                loss = criterion(net(image), target)
                (loss / args.accum).backward()
            if step_now:
                nn.utils.clip_grad_norm_(net.parameters(), 35)
                optimizer.step()
                optimizer.zero_grad()
        if rank == 0:
            torch.save(net.module.state_dict(), f"{args.out}/ep{epoch:03d}.pth")
    dist.destroy_process_group()


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--root", required=True)
    p.add_argument("--backbone", default="resnet34")
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--accum", type=int, default=2)
    p.add_argument("--epochs", type=int, default=50)
    p.add_argument("--lr", type=float, default=4e-4)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--out", default="work_dirs")
    main(p.parse_args())
