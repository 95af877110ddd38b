from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from tqdm.auto import tqdm


def compute_loss(model, margin_head, images, identities):
    embedding = torch.nn.functional.normalize(model(images))
    return margin_head(embedding, identities)


def train(backbone, margin_head, loader, sampler, epochs, window=4, device=0):
    model = DDP(backbone.to(device), device_ids=[device])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, weight_decay=5e-4)
    milestones = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[10, 16, 22])
    last = len(loader) - 1
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        model.train()
        for i, (images, identities) in enumerate(tqdm(loader, disable=dist.get_rank() != 0)):
            update = (i + 1) % window == 0 or i == last
            loss = compute_loss(model, margin_head, images.to(device), identities.to(device))
            with nullcontext() if update else model.no_sync():
                (loss / window).backward()
            if update:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
                optimizer.step()
                optimizer.zero_grad()
        milestones.step()
