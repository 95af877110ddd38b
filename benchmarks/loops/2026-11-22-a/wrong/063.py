import argparse
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler

from action.dataset import Kinetics
from action.models import build_video_model


def validate(model, loader, criterion, gpu):
    model.eval()
    total, hits, loss_sum = 0, 0, 0.0
    for clip, target in loader:
        clip, target = clip.cuda(gpu), target.cuda(gpu)
        logits = model(clip)
        loss_sum += criterion(logits, target).item()
        hits += (logits.argmax(1) == target).sum().item()
        total += target.numel()
    return hits / total, loss_sum / len(loader)


def train(gpu, args):
    dist.init_process_group("nccl", init_method="env://", rank=gpu, world_size=args.gpus)
    torch.cuda.set_device(gpu)
    model = DistributedDataParallel(build_video_model(args.arch).cuda(gpu), device_ids=[gpu])
    train_set, val_set = Kinetics(args.data, "train"), Kinetics(args.data, "val")
    sampler = DistributedSampler(train_set)
    loader = DataLoader(train_set, args.batch_size, sampler=sampler, num_workers=12)
    val_loader = DataLoader(val_set, args.batch_size, sampler=DistributedSampler(val_set, shuffle=False))
    criterion = torch.nn.CrossEntropyLoss().cuda(gpu)
    optimizer = torch.optim.SGD(model.parameters(), args.lr, momentum=0.9)
    accum = args.accum

    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        model.train()
        optimizer.zero_grad()
        for i, (clip, target) in enumerate(loader):
            ctx = model.no_sync() if (i + 1) % accum != 0 else nullcontext()
            with ctx:
                loss = criterion(model(clip.cuda(gpu)), target.cuda(gpu)) / accum
                loss.backward()
            if (i + 1) % accum == 0 or (i + 1) == len(loader):
                optimizer.step()
                optimizer.zero_grad()
        acc, val_loss = validate(model, val_loader, criterion, gpu)
        if gpu == 0:
            print(f"epoch {epoch} acc {acc:.4f} loss {val_loss:.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("--arch", default="x3d_m")
    parser.add_argument("--gpus", type=int, default=8)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--accum", type=int, default=4)
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--epochs", type=int, default=256)
    args = parser.parse_args()
    torch.multiprocessing.spawn(train, args=(args,), nprocs=args.gpus)
