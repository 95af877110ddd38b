import torch.nn.functional as F

from updates import Updates


def fit_epoch(net, loader, opt, run):
    net.train()
    updates = Updates(opt, run.accumulate)
    total = 0.0
    for num, cat, churn in loader:
        loss = F.binary_cross_entropy_with_logits(net(num, cat), churn)
        (loss * run.loss_weight).backward()
        total += loss.item()
        updates.tick()
    return total / len(loader), updates.close()
