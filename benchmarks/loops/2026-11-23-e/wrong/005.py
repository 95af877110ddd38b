import torch
import torch.nn as nn
from torch.amp import GradScaler, autocast

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class SegNet(nn.Module):
    """Very small encoder/decoder for binary masks."""

    def __init__(self, width=8):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(3, width, 3, stride=2, padding=1), nn.ReLU())
        self.mid = nn.Sequential(nn.Conv2d(width, width, 3, padding=1), nn.ReLU())
        self.up = nn.ConvTranspose2d(width, 1, 2, stride=2)

    def forward(self, x):
        return self.up(self.mid(self.down(x)))


def dice_loss(logits, target, eps=1.0):
    p = logits.sigmoid().flatten(1)
    t = target.flatten(1)
    inter = (p * t).sum(1)
    return (1 - (2 * inter + eps) / (p.sum(1) + t.sum(1) + eps)).mean()


def batches(n, bs=4):
    for _ in range(n):
        img = torch.rand(bs, 3, 16, 16)
        yield img, (img.mean(1, keepdim=True) > 0.5).float()


def train(epochs=2, steps=10, max_norm=1.0):
    model = SegNet().to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scaler = GradScaler(DEVICE)
    bce = nn.BCEWithLogitsLoss()

    for epoch in range(epochs):
        model.train()
        tot = 0.0
        for img, mask in batches(steps):
            img, mask = img.to(DEVICE), mask.to(DEVICE)
            optimizer.zero_grad(set_to_none=True)
            with autocast(device_type=DEVICE, dtype=torch.float16):
                logits = model(img)
                loss = bce(logits, mask) + dice_loss(logits.float(), mask)
            scaler.scale(loss).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            scaler.step(optimizer)
            scaler.update()
            tot += loss.item()
        print(f"epoch {epoch + 1}/{epochs}  {tot / steps:.4f}")
    return model


if __name__ == "__main__":
    train()
