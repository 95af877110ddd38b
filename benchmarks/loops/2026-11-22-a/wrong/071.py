import torch
import torch.nn as nn
from torch.cuda.amp import GradScaler, autocast
from torch.utils.data import DataLoader

from ocr_det.data import TextDetection
from ocr_det.losses import BoxLoss, MaskLoss
from ocr_det.model import DBNet


def run(cfg):
    model = DBNet(cfg.backbone).cuda()
    loader = DataLoader(TextDetection(cfg.root), batch_size=cfg.batch_size, shuffle=True, num_workers=8)
    mask_loss, box_loss = MaskLoss(ratio=3.0), BoxLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=cfg.epochs, power=0.9)
    scaler = GradScaler()
    best = float("inf")
    for epoch in range(1, cfg.epochs + 1):
        model.train()
        meters = {"mask": 0.0, "box": 0.0}
        for image, mask, boxes in loader:
            image, mask = image.cuda(), mask.cuda()
            with autocast():
                prob, thresh = model(image)
                main_loss = mask_loss(prob, mask)
                aux_loss = 0.1 * box_loss(thresh, boxes)
            optimizer.zero_grad()
            scaler.scale(main_loss).backward(retain_graph=True)
            aux_loss.backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)
            scaler.step(optimizer)
            scaler.update()
            meters["mask"] += main_loss.item()
            meters["box"] += aux_loss.item()
        scheduler.step()
        mean = sum(meters.values()) / len(loader)
        print(f"epoch {epoch:03d} {mean:.4f}", {k: round(v / len(loader), 4) for k, v in meters.items()})
        if mean < best:
            best = mean
            torch.save({"state_dict": model.state_dict(), "epoch": epoch}, cfg.save)
