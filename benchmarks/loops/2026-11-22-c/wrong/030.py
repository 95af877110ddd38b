import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

from satellite.data import tiles
from satellite.unet import UNet


def dice(logits, mask):
    p = logits.sigmoid()
    return 1 - (2 * (p * mask).sum() + 1) / (p.sum() + mask.sum() + 1)


def train(rank, cfg):
    model = DDP(UNet(cfg["bands"]).to(rank), device_ids=[rank])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"])
    loader, sampler = tiles(cfg["root"], rank, dist.get_world_size())
    n = cfg["accumulate"]
    for epoch in range(cfg["epochs"]):
        sampler.set_epoch(epoch)
        model.train()
        pending = 0
        for image, mask in loader:
            pending += 1
            model.require_backward_grad_sync = pending == n
            logits = model(image.to(rank))
            mask = mask.to(rank)
            loss = F.binary_cross_entropy_with_logits(logits, mask) + dice(logits, mask)
            (loss / n).backward()
            if pending == n:
                opt.step()
                opt.zero_grad()
                pending = 0
        if pending:
            opt.step()
            opt.zero_grad()
        if rank == 0:
            print(f"epoch {epoch} loss {loss.item():.3f}")
