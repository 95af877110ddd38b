import argparse
import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

from herbarium import Herbarium, build_model


def make_loader(root, batch_size):
    dataset = Herbarium(root, split="train")
    sampler = DistributedSampler(dataset, shuffle=True, drop_last=True)
    return DataLoader(dataset, batch_size=batch_size, sampler=sampler, num_workers=0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", default="herbarium")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--accum", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=64)
    args = parser.parse_args()
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    model = DDP(build_model().cuda(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
    loader = make_loader(args.root, args.batch_size)
    for epoch in range(args.epochs):
        model.train()
        for i, (image, species) in enumerate(loader):
            loss = F.cross_entropy(model(image.cuda(local_rank)), species.cuda(local_rank))
            (loss / args.accum).backward()
            if (i + 1) % args.accum == 0 or (i + 1) == len(loader):
                optimizer.step()
                optimizer.zero_grad()
        cosine.step()
        if local_rank == 0:
            print(epoch, loss.item(), cosine.get_last_lr())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
