import logging
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, random_split
from tqdm import tqdm

from vessels.data import FundusMasks
from vessels.metrics import soft_dice

logger = logging.getLogger("vessels")


def combined_loss(logits, target, classes):
    probabilities = F.softmax(logits, dim=1).float()
    one_hot = F.one_hot(target, classes).movedim(-1, 1).float()
    return F.cross_entropy(logits, target) + 1 - soft_dice(probabilities, one_hot)


def train_model(net, root: Path, device, *, epochs=40, batch=4, lr=2e-5, use_amp=True, clip=1.0, val_share=0.1):
    data = FundusMasks(root, scale=0.5)
    held_out = int(len(data) * val_share)
    train_part, _ = random_split(data, [len(data) - held_out, held_out])
    loader = DataLoader(train_part, batch_size=batch, shuffle=True, num_workers=4, pin_memory=True)
    optimizer = torch.optim.RMSprop(net.parameters(), lr=lr, momentum=0.99)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=4)
    amp_scaler = torch.cuda.amp.GradScaler(enabled=use_amp)

    for epoch in range(epochs):
        net.train()
        total = 0.0
        with tqdm(total=len(train_part), desc=f"{epoch + 1}/{epochs}", unit="image") as bar:
            for sample in loader:
                image, mask = sample["image"].to(device), sample["mask"].to(device)
                with torch.autocast(device.type, enabled=use_amp):
                    loss = combined_loss(net(image), mask, net.classes)
                optimizer.zero_grad(set_to_none=True)
                amp_scaler.scale(loss).backward()
                nn.utils.clip_grad_norm_(net.parameters(), clip)
                amp_scaler.step(optimizer)
                amp_scaler.update()
                bar.update(len(image))
                total += loss.item()
        plateau.step(total)
        logger.info("epoch %d: %.4f", epoch, total / len(loader))
