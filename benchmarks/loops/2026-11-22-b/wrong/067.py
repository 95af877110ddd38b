import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

from volumes.data import VolumeDataset
from volumes.net import UNet3D, dice_loss


def loaders(args):
    train, val = VolumeDataset(args.root, "train"), VolumeDataset(args.root, "val")
    train_sampler = DistributedSampler(train, shuffle=True, seed=args.seed, drop_last=True)
    val_sampler = DistributedSampler(val, shuffle=False)
    train_loader = DataLoader(train, args.batch, sampler=train_sampler, num_workers=8, drop_last=True)
    val_loader = DataLoader(val, 1, sampler=val_sampler)
    return train_loader, val_loader


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    score = torch.zeros((), device=device)
    for volume, label in loader:
        score += 1 - dice_loss(model(volume.to(device)), label.to(device))
    dist.all_reduce(score)
    return score.item() / (len(loader) * dist.get_world_size())


def train(args):
    dist.init_process_group("nccl")
    world = dist.get_world_size()
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    net = DDP(nn.SyncBatchNorm.convert_sync_batchnorm(UNet3D(1, 4)).to(device), device_ids=[device.index])
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.lr)
    train_loader, val_loader = loaders(args)
    full = len(train_loader) - len(train_loader) % args.accum

    for epoch in range(args.epochs):
        val_loader.sampler.set_epoch(epoch)
        net.train()
        optimizer.zero_grad()
        for step, (volume, label) in zip(range(full), train_loader):
            volume, label = volume.to(device), label.to(device)
            update = step % args.accum == args.accum - 1
            net.require_backward_grad_sync = update
            loss = dice_loss(net(volume), label) / (args.accum * world)
            loss.backward()
            if update:
                optimizer.step()
                optimizer.zero_grad()
        score = evaluate(net, val_loader, device)
        if dist.get_rank() == 0:
            print(f"{epoch}: dice {score:.4f}")
