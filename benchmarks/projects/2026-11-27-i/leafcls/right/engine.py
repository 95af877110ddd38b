from config import CFG


class AverageMeter:
    def __init__(self):
        self.sum, self.count = 0.0, 0

    def update(self, val, n=1):
        self.sum += val * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)


def train_fn(loader, model, criterion, optimizer):
    model.train()
    losses = AverageMeter()
    for images, labels in loader:
        images, labels = images.to(CFG.device), labels.to(CFG.device)
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        losses.update(loss.item(), labels.size(0))
        loss.backward()
        optimizer.step()
    return losses.avg
