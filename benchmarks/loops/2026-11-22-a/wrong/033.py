import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

from reid.backbone import build_backbone
from reid.dataset import Market1501


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)

    dataset = Market1501("data/market", split="train")
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=32, sampler=sampler, num_workers=8, pin_memory=True, drop_last=True)
    model = build_backbone("osnet_x1_0", num_ids=dataset.num_ids).cuda(local_rank)
    model = DDP(model, device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.065, momentum=0.9, weight_decay=5e-4)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[40, 70])
    accum_steps = 4

    for epoch in range(120):
        model.train()
        optimizer.zero_grad()
        for step, (images, pids) in enumerate(loader):
            images = images.cuda(local_rank, non_blocking=True)
            pids = pids.cuda(local_rank, non_blocking=True)
            logits = model(images)
            loss = F.cross_entropy(logits, pids, label_smoothing=0.1) / accum_steps
            loss.backward()
            if (step + 1) % accum_steps == 0 or step + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
        scheduler.step()
        if dist.get_rank() == 0:
            torch.save(model.module.state_dict(), f"osnet_{epoch}.pth")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
