from config import *
from utils import AverageMeter


def train_one_epoch(model, loader, criterion, optimizer, scheduler):
    losses = AverageMeter()
    model.train()
    for step, (feats, target) in enumerate(loader):
        loss = criterion(model(feats), target)
        (loss / CFG.n_accumulate).backward()
        losses.update(loss.item(), feats.size(0))
        if is_update_step(step, len(loader)):
            optimizer.step()
            optimizer.zero_grad()
            scheduler.step()
    return losses.avg


@torch.no_grad()
def valid_one_epoch(model, loader, criterion):
    model.eval()
    losses, preds, targets = AverageMeter(), [], []
    for feats, target in loader:
        out = model(feats)
        losses.update(criterion(out, target).item(), feats.size(0))
        preds.append(out.sigmoid().numpy())
        targets.append(target.numpy())
    acc = ((np.concatenate(preds) > 0.5) == np.concatenate(targets)).mean()
    return losses.avg, acc
