import torch
from torch import nn


class CFG:
    seed = 42
    epochs = 3
    accum = 4
    lr = 0.08
    max_norm = 50.0


class AverageMeter:
    def __init__(self):
        self.sum, self.count = 0.0, 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)


def train_fn(model, loader, criterion, optimizer, record):
    model.train()
    losses = AverageMeter()
    for step, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        (loss / CFG.accum).backward()
        losses.update(loss.item(), len(y))
        if (step + 1) % CFG.accum == 0 or (step + 1) == len(loader):
            nn.utils.clip_grad_norm_(model.parameters(), CFG.max_norm)
            optimizer.step()
            record(list(model.parameters()))
            optimizer.zero_grad()
    return losses.avg


def train(record):
    torch.manual_seed(CFG.seed)
    model = nn.Sequential(nn.Linear(5, 11), nn.SiLU(), nn.Linear(11, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=CFG.lr)
    x = torch.randn(10, 8, 5)
    loader = [(a, a.abs().sum(1, keepdim=True)) for a in x]
    for epoch in range(CFG.epochs):
        average = train_fn(model, loader, nn.MSELoss(), optimizer, record)
        for group in optimizer.param_groups:
            group["lr"] = CFG.lr * min(1.0, average / 10)
        print(f"epoch {epoch + 1} loss {average:.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
