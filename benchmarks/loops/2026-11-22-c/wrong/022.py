import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from pretrain.data import infinite_shards
from pretrain.model import TextEncoder

MICRO = 4


def main():
    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    model = DistributedDataParallel(TextEncoder().cuda(), device_ids=[rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    scaler = torch.amp.GradScaler("cuda")
    shards = infinite_shards(rank, dist.get_world_size())
    model.train()

    def forward_loss():
        anchors, positives = next(shards)
        with torch.autocast("cuda", dtype=torch.float16):
            left, right = model(torch.cat([anchors, positives]).cuda()).chunk(2)
            sims = left @ right.t()
        return torch.nn.functional.cross_entropy(sims, torch.arange(len(sims), device=sims.device)) / MICRO

    for update in range(20_000):
        with model.no_sync():
            for _ in range(MICRO - 1):
                loss = forward_loss()
                scaler.scale(loss).backward()
        loss = forward_loss()
        loss.backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)
        if rank == 0 and update % 100 == 0:
            print(update, loss.item() * MICRO)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
