import os
from contextlib import nullcontext

import torch
import torch.distributed as dist
from timm import create_model
from timm.utils import NativeScaler
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

from herbarium.data import Herbarium


def window_length(index, batches, accumulate):
    """How many micro-batches the window has to which this one belongs."""
    first = index - index % accumulate
    return min(accumulate, batches - first)


def train_epoch(net, loader, optimizer, criterion, scaler, accumulate, max_norm):
    net.train()
    batches = len(loader)
    shown = 0.0
    for index, (image, species) in enumerate(loader):
        length = window_length(index, batches, accumulate)
        closes = index % accumulate == length - 1
        with nullcontext() if closes else net.no_sync():
            with torch.autocast("cuda", dtype=torch.float16):
                loss = criterion(net(image.cuda(non_blocking=True)), species.cuda(non_blocking=True))
            scaler(
                loss / length, optimizer, clip_grad=max_norm, parameters=net.parameters(), need_update=closes
            )
        if closes:
            optimizer.zero_grad()
        shown += loss.item()
    return shown / batches


def main(root="/data/herbarium", epochs=40, accumulate=4):
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    data = Herbarium(root)
    sampler = DistributedSampler(data)
    loader = DataLoader(data, 64, sampler=sampler, num_workers=8)
    backbone = create_model("eva02_base_patch14_448", num_classes=15501).cuda()
    net = DistributedDataParallel(backbone, device_ids=[device])
    optimizer = torch.optim.AdamW(net.parameters(), lr=5e-5)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    scaler, criterion = NativeScaler(), torch.nn.CrossEntropyLoss()
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        loss = train_epoch(net, loader, optimizer, criterion, scaler, accumulate, 1.0)
        scheduler.step()
        if device == 0:
            print(epoch, loss)


if __name__ == "__main__":
    main()
