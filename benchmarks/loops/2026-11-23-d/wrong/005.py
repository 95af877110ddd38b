import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR

from seg import UNet, tiles

cfg = dict(epochs=3, accumulate=3, lr=2e-4, weight_decay=1e-2)


def dice(logits, mask, eps=1.0):
    p = logits.sigmoid()
    inter = (p * mask).sum((1, 2, 3))
    return 1 - ((2 * inter + eps) / (p.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + eps)).mean()


model = UNet(in_channels=3, classes=1)
train_tiles = tiles("train", size=512, batch=4)
bce = nn.BCEWithLogitsLoss()
opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
sched = CosineAnnealingLR(opt, T_max=cfg["epochs"])

opt.zero_grad()
for epoch in range(cfg["epochs"]):
    model.train()
    for step, (image, mask) in enumerate(train_tiles, start=1):
        logits = model(image)
        loss = (bce(logits, mask) + dice(logits, mask)) / cfg["accumulate"]
        loss.backward()
        if step % cfg["accumulate"] == 0:
            opt.step()
            opt.zero_grad()
    sched.step()
    print(epoch, f"{loss.item() * cfg['accumulate']:.4f}", sched.get_last_lr()[0])
torch.save(model.state_dict(), "unet.pt")
