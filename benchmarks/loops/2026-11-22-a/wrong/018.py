import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from lung.dataset import CTSlices
from lung.metrics import dice_coefficient
from lung.model import AttentionUNet


def soft_dice(logits, target, eps=1.0):
    prob = logits.sigmoid()
    inter = (prob * target).sum(dim=(1, 2, 3))
    return 1 - ((2 * inter + eps) / (prob.sum(dim=(1, 2, 3)) + target.sum(dim=(1, 2, 3)) + eps)).mean()


def validate(model, loader, device):
    model.eval()
    scores = []
    for ct, mask in loader:
        pred = model(ct.to(device))
        scores.append(dice_coefficient(pred.sigmoid() > 0.5, mask.to(device)).item())
    return sum(scores) / len(scores)


def fit(root, epochs=60, batch_size=2, accumulation_steps=8, lr=1e-4):
    device = torch.device("cuda")
    model = AttentionUNet(in_channels=1).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    train_loader = DataLoader(CTSlices(root, "train"), batch_size=batch_size, shuffle=True)
    val_loader = DataLoader(CTSlices(root, "val"), batch_size=batch_size)
    bce = nn.BCEWithLogitsLoss()
    best = 0.0
    for epoch in range(epochs):
        model.train()
        optimizer.zero_grad()
        for i, (ct, mask) in enumerate(train_loader):
            ct, mask = ct.to(device), mask.to(device)
            logits = model(ct)
            loss = bce(logits, mask) + soft_dice(logits, mask)
            loss.backward()
            if (i + 1) % accumulation_steps == 0 or (i + 1) == len(train_loader):
                optimizer.step()
                optimizer.zero_grad()
        score = validate(model, val_loader, device)
        if score > best:
            best = score
            torch.save(model.state_dict(), "best.pt")
        print(f"{epoch:03d} dice {score:.4f} (best {best:.4f})")
