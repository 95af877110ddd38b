import math

import torch
from torch import nn
from torch.cuda.amp import GradScaler, autocast
from torch.optim.lr_scheduler import CosineAnnealingWarmRestarts
from torch.utils.data import DataLoader

from crack.data import CrackTiles
from crack.model import SegFormer


def train(cfg):
    loader = DataLoader(CrackTiles(cfg.root), cfg.batch, shuffle=True, num_workers=cfg.workers, pin_memory=True)
    model = SegFormer(cfg.variant, classes=2).to(cfg.device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=0.01)
    updates = math.ceil(len(loader) / cfg.accumulate)
    scheduler = CosineAnnealingWarmRestarts(optimizer, T_0=5 * updates, T_mult=2)
    weights = torch.tensor([1.0, 12.0], device=cfg.device)
    criterion = nn.CrossEntropyLoss(weight=weights)
    scaler = GradScaler()
    for epoch in range(cfg.epochs):
        model.train()
        optimizer.zero_grad()
        for step, (tile, mask) in enumerate(loader, start=1):
            with autocast():
                out = model(tile.to(cfg.device))
                out = nn.functional.interpolate(out, mask.shape[-2:], mode="bilinear", align_corners=False)
                loss = criterion(out, mask.to(cfg.device))
            scaler.scale(loss / cfg.accumulate).backward()
            if step % cfg.accumulate == 0 or step == len(loader):
                scaler.step(optimizer)
                scheduler.step()
                scaler.update()
                optimizer.zero_grad()
        print(f"{epoch} {loss.item():.4f} lr {scheduler.get_last_lr()[0]:.2e}")
        torch.save(model.state_dict(), f"{cfg.out}/{epoch}.pt")
