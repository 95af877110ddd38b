import math

from config import *
from utils import *


def steps_per_epoch(loader):
    return math.ceil(len(loader) / CFG.accum)


def train_fn(fold, train_loader, model, criterion, optimizer, epoch, scheduler, device):
    model.train()
    losses = AverageMeter()
    for step, (x, y) in enumerate(train_loader):
        x, y = x.to(device), y.to(device)
        loss = criterion(model(x), y)
        losses.update(loss.item(), len(y))
        (loss / CFG.accum).backward()
        update = (step + 1) % CFG.accum == 0 or step + 1 == len(train_loader)
        optimize(model, optimizer, scheduler, update)
        if step % CFG.print_freq == 0:
            print(f"fold {fold} epoch {epoch} [{step}/{len(train_loader)}] "
                  f"loss {losses.avg:.4f} lr {scheduler.get_last_lr()[0]:.5f}")
    return losses.avg
