import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def run_epoch(cfg, model, optimizer, scheduler, scaler, epoch):
    model.train()
    seen, total = 0, 0.0
    for batch in cfg.data.loader:
        inputs = batch["image"].cuda(non_blocking=True)
        labels = batch["label"].cuda(non_blocking=True)

        with torch.cuda.amp.autocast():
            logits = model(inputs)
            loss = nn.functional.cross_entropy(logits, labels, label_smoothing=cfg.smoothing)

        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        scaler.step(optimizer)
        clip_grad_norm_(model.parameters(), max_norm=cfg.max_norm)
        scaler.update()
        scheduler.step()

        seen += labels.numel()
        total += loss.item() * labels.numel()
    print(f"epoch {epoch}: loss {total / seen:.4f}")


def fit(cfg, model):
    model = model.cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=cfg.wd)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=cfg.epochs * len(cfg.data.loader))
    scaler = torch.cuda.amp.GradScaler()
    for epoch in range(cfg.epochs):
        run_epoch(cfg, model, optimizer, scheduler, scaler, epoch)
