import torch
import torch.nn.functional as F


def train_epoch(epoch, model, loader, optimizer, scaler, cfg):
    model.train
    seen, correct = 0, 0
    for index, sample in enumerate(loader, start=1):
        spectrum = sample["spectrum"].cuda(non_blocking=True)
        crop = sample["crop"].cuda(non_blocking=True)
        with torch.autocast("cuda", dtype=torch.float16):
            logits = model(spectrum)
            loss = F.cross_entropy(logits, crop) / cfg.accumulation
        scaler.scale(loss).backward()
        correct += (logits.argmax(1) == crop).sum().item()
        seen += crop.numel()
        if index % cfg.accumulation == 0:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.clip)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad(set_to_none=True)
    print(f"epoch {epoch}: accuracy {correct / seen:.3f}")


def run(model, loader, cfg):
    model.cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    scaler = torch.amp.GradScaler("cuda")
    for epoch in range(cfg.epochs):
        train_epoch(epoch, model, loader, optimizer, scaler, cfg)
        if cfg.checkpoint:
            torch.save({"model": model.state_dict(), "scaler": scaler.state_dict()}, cfg.checkpoint)
