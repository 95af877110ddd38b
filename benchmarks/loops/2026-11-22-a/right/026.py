import math
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler
from torchvision import datasets, transforms
from torchvision.models import swin_t


def cosine(epoch, epochs, warmup=20):
    if epoch < warmup:
        return (epoch + 1) / warmup
    return 0.5 * (1 + math.cos(math.pi * (epoch - warmup) / (epochs - warmup)))


def train_one_epoch(model, criterion, optimizer, loader, device, epoch):
    if isinstance(loader.sampler, DistributedSampler):
        loader.sampler.set_epoch(epoch)
    model.train()
    for images, target in loader:
        images, target = images.to(device, non_blocking=True), target.to(device, non_blocking=True)
        loss = criterion(model(images), target)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
    return loss.item()


def main(root="/data/imagenet", epochs=300, batch=128):
    dist.init_process_group("nccl")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    transform = transforms.Compose([transforms.RandomResizedCrop(224), transforms.RandAugment(), transforms.ToTensor()])
    dataset = datasets.ImageFolder(os.path.join(root, "train"), transform)
    loader = DataLoader(dataset, batch, sampler=DistributedSampler(dataset), num_workers=10, pin_memory=True)
    model = DDP(swin_t().to(device), device_ids=[device.index])
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.05)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda e: cosine(e, epochs))
    for epoch in range(epochs):
        loss = train_one_epoch(model, criterion, optimizer, loader, device, epoch)
        scheduler.step()
        if dist.get_rank() == 0:
            print(f"epoch {epoch} loss {loss:.4f}")
            torch.save(model.module.state_dict(), "swin_t.pth")


if __name__ == "__main__":
    main()
