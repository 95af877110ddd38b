import torch
from torch.nn import functional as F


def warmup_cosine(optimizer, warmup, total):
    first = torch.optim.lr_scheduler.LinearLR(optimizer, 0.001, 1.0, total_iters=warmup)
    second = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, total - warmup)
    return torch.optim.lr_scheduler.SequentialLR(optimizer, [first, second], milestones=[warmup])


def contrastive(a, b, temperature):
    logits = F.normalize(a, dim=1) @ F.normalize(b, dim=1).T / temperature
    labels = torch.arange(len(a), device=a.device)
    return (F.cross_entropy(logits, labels) + F.cross_entropy(logits.T, labels)) / 2


def run(cfg, towers):
    optimizer = torch.optim.AdamW(towers.parameters(), lr=cfg.lr, weight_decay=0.2)
    total = cfg.epochs * len(cfg.data.loader)
    scheduler = warmup_cosine(optimizer, cfg.warmup, total)
    for epoch in range(cfg.epochs):
        towers.train()
        for images, texts in cfg.data.loader:
            a, b = towers(images.to(cfg.device), texts.to(cfg.device))
            loss = contrastive(a, b, cfg.temperature)
            optimizer.zero_grad()
            loss.backward()
            scheduler.step()
            optimizer.step()
        print(epoch, loss.item(), scheduler.get_last_lr()[0])
    torch.save(towers.state_dict(), cfg.out)
