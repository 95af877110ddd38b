import argparse
import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

from metric.data import Products
from metric.losses import MultiSimilarity
from metric.nets import EmbeddingNet


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", default="SOP")
    parser.add_argument("--accum", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=60)
    args = parser.parse_args()
    dist.init_process_group("nccl")
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    dataset = Products(args.root)
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler, num_workers=6)
    model = DDP(EmbeddingNet(512).cuda(gpu), device_ids=[gpu])
    criterion = MultiSimilarity()
    optimizer = torch.optim.RAdam(model.parameters(), lr=1e-4)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        model.train()
        for it, (x, y) in enumerate(loader):
            z = F.normalize(model(x.cuda(gpu)), dim=1)
            loss = criterion(z, y.cuda(gpu))
            loss.div(args.accum).backward()
            if (it + 1) % args.accum != 0:
                continue
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        if gpu == 0:
            print(f"epoch {epoch} loss {loss.item():.4f}")
            torch.save(model.module.state_dict(), "embed.pt")


if __name__ == "__main__":
    main()
