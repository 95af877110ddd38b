import os
from contextlib import nullcontext

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

from vqa.data import question_loader
from vqa.model import CrossModal


def main(cfg):
    dist.init_process_group("nccl")
    gpu = int(os.environ["LOCAL_RANK"])
    model = DDP(CrossModal(cfg["width"]).cuda(gpu), device_ids=[gpu])
    optimizer = torch.optim.Adamax(model.parameters(), lr=cfg["lr"])
    scaler = torch.amp.GradScaler("cuda")
    loader = question_loader(cfg["batch"], distributed=True)
    n = cfg["accum"]
    whole = len(loader) // n * n
    for epoch in range(cfg["epochs"]):
        loader.sampler.set_epoch(epoch)
        model.train()
        for i, (image, question, answer) in enumerate(loader):
            size = n if i < whole else len(loader) - whole
            last = (i + 1) % n == 0 or i + 1 == len(loader)
            with nullcontext() if last else model.no_sync():
                with torch.autocast("cuda", dtype=torch.float16):
                    logits = model(torch.cat([image, question], dim=1).cuda(gpu))
                    loss = F.cross_entropy(logits, answer.cuda(gpu))
                scaler.scale(loss / size).backward()
            if last:
                scaler.unscale_(optimizer)
                torch.nn.utils.clip_grad_norm_(model.parameters(), cfg["clip"])
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad(set_to_none=True)
        if gpu == 0:
            print(epoch, loss.item())
    dist.destroy_process_group()
