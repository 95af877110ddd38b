import math

import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import LambdaLR


def warmup_cosine(optimizer, warmup, total):
    def factor(step):
        if step < warmup:
            return step / max(1, warmup)
        return 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, total - warmup)))

    return LambdaLR(optimizer, factor)


def log_rate(scheduler, step, loss):
    scheduler.step()
    if step % 50 == 0:
        print(f"{step} lr {scheduler.get_last_lr()[0]:.2e} loss {loss.item():.4f}")


def pretrain(model, loader, *, epochs=8, lr=1e-3, warmup=500):
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.05)
    scheduler = warmup_cosine(optimizer, warmup, epochs * len(loader))
    step = 0
    for _ in range(epochs):
        model.train()
        for patches, visible in loader:
            reconstruction = model(patches * visible)
            loss = F.mse_loss(reconstruction, patches)
            loss.backward()
            log_rate(scheduler, step, loss)
            optimizer.step()
            optimizer.zero_grad()
            step += 1
    return model
