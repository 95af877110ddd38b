from torch.nn import functional as F

from utils.dist import quiet


def train_one_epoch(model, loader, optimizer, window, meter):
    model.train()
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % window == 0 or i + 1 == len(loader)
        loss = F.smooth_l1_loss(model(x), y)
        (loss / window).backward()
        meter.add(loss, len(x))
        if last:
            optimizer.step()
            optimizer.zero_grad()
