import torch
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast


def train(model, loader, settings):
    window = settings["window"]
    usable = len(loader) - len(loader) % window
    optimizer = torch.optim.SGD(model.parameters(), lr=settings["lr"], momentum=0.9)
    drops = torch.optim.lr_scheduler.MultiStepLR(optimizer, settings["milestones"])
    scaler = GradScaler()
    optimizer.zero_grad(set_to_none=True)
    for epoch in range(settings["epochs"]):
        model.train()
        for i, (volume, mask) in enumerate(loader):
            if i == usable:
                break
            with autocast():
                logits = model(volume.cuda())
                loss = F.binary_cross_entropy_with_logits(logits, mask.cuda())
            scaler.scale(loss / window).backward()
            if (i + 1) % window == 0:
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad(set_to_none=True)
        drops.step()
        print(epoch, loss.item(), drops.get_last_lr())
    return model
