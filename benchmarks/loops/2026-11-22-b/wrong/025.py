import contextlib
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

from detection.data import CocoDetection, collate
from detection.engine import all_reduce_dict
from detection.model import build_detector


def build_loader(cfg, dataset):
    sampler = DistributedSampler(dataset)
    return DataLoader(dataset, cfg.batch, sampler=sampler, collate_fn=collate, num_workers=4, drop_last=True)


def train(cfg):
    dist.init_process_group("nccl")
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    model = DistributedDataParallel(build_detector(cfg).cuda(), device_ids=[gpu])
    optimizer = torch.optim.SGD(model.parameters(), cfg.lr, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[8, 11], gamma=0.1)
    loader = build_loader(cfg, CocoDetection(cfg.root, "train2017"))
    steps = len(loader) // cfg.accum * cfg.accum

    for epoch in range(cfg.epochs):
        model.train()
        for i, (images, targets) in enumerate(loader):
            if i == steps:
                break
            boundary = (i + 1) % cfg.accum == 0
            sync = contextlib.nullcontext if boundary else model.no_sync
            images = [img.cuda(non_blocking=True) for img in images]
            targets = [{k: v.cuda(non_blocking=True) for k, v in t.items()} for t in targets]
            with torch.autocast("cuda", dtype=torch.bfloat16):
                losses = model(images, targets)
                loss = sum(losses.values()) / cfg.accum
            loss.backward()
            if boundary:
                nn.utils.clip_grad_norm_(model.parameters(), 10.0)
                optimizer.step()
                optimizer.zero_grad()
            if i % 100 == 0:
                reduced = all_reduce_dict(losses)
                if gpu == 0:
                    print(epoch, i, {k: round(v.item(), 3) for k, v in reduced.items()})
        scheduler.step()
    if gpu == 0:
        torch.save(model.module.state_dict(), cfg.out)
