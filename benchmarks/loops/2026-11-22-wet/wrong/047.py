from contextlib import nullcontext

import torch
from torch.nn.parallel import DistributedDataParallel as DDP

from detr import DETR, SetCriterion
from detr.data import stream

ACCUM_STEPS = 4


def train(gpu, args):
    model = DDP(DETR(args.queries).cuda(gpu), device_ids=[gpu])
    criterion = SetCriterion(args.weights)
    optimizer = torch.optim.AdamW(
        [
            {"params": [p for n, p in model.named_parameters() if "backbone" not in n]},
            {"params": [p for n, p in model.named_parameters() if "backbone" in n], "lr": 1e-5},
        ],
        lr=1e-4,
    )
    model.train()
    for i, (images, targets) in enumerate(stream(args, gpu)):
        syncing = i % ACCUM_STEPS == 0
        with nullcontext() if syncing else model.no_sync():
            outputs = model(images)
            losses = criterion(outputs, targets)
            loss = losses["total"] / ACCUM_STEPS
            loss.backward()
        if (i + 1) % ACCUM_STEPS == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.1)
            optimizer.step()
            optimizer.zero_grad()
        if i + 1 == args.iterations:
            break
