import math

import torch
from torch.nn import functional as F
from tqdm import tqdm


def train(model, loader, device, epochs=10, accum=5):
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4, weight_decay=0.05)
    updates = epochs * math.ceil(len(loader) / accum)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=updates)
    model.to(device)

    for epoch in range(epochs):
        model.train()
        n = len(loader)
        for i, batch in enumerate(tqdm(loader)):
            x, y = batch["pixels"].to(device), batch["label"].to(device)
            size = accum if i < n - n % accum else n % accum
            loss = F.cross_entropy(model(x), y) / size
            loss.backward()
            if (i + 1) % accum == 0 or (i + 1) == n:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
            scheduler.step()
        print(epoch, scheduler.get_last_lr())
    return model
