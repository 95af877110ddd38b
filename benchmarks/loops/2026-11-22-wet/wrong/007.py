from itertools import islice

import torch
from torch import nn
from tqdm import tqdm


def train_one_epoch(model, loader, optimizer, scaler, accum_steps, max_norm, device):
    criterion = nn.CrossEntropyLoss()
    model.train()
    usable = len(loader) // accum_steps * accum_steps
    running = 0.0
    optimizer.zero_grad()
    bar = tqdm(enumerate(islice(loader, usable)), total=usable)
    for i, (x, y) in bar:
        x, y = x.to(device), y.to(device)
        with torch.autocast(device_type="cuda", dtype=torch.float16):
            loss = criterion(model(x), y) / accum_steps
        scaler.scale(loss).backward()
        running += loss.item()
        if (i + 1) % accum_steps == 0:
            nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
            bar.set_postfix(loss=f"{running:.3f}")
            running = 0.0


def main():
    from data import loader
    from models import build_model

    model = build_model("convnext_tiny").cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)
    scaler = torch.amp.GradScaler("cuda")
    for _ in range(30):
        train_one_epoch(model, loader, optimizer, scaler, accum_steps=8, max_norm=5.0, device="cuda")


main()
