import torch
from torch import nn

print_freq = 4
torch.manual_seed(5)


class Progress:
    def __init__(self, every):
        self.every, self.count, self.total = every, 0, 0.0

    def __call__(self, epoch, i, n, loss, norm):
        self.total += loss
        self.count += 1
        if (i + 1) % self.every == 0:
            print(f"Epoch: [{epoch}][{i + 1}/{n}] loss {self.total / self.count:.4f} |g| {norm:.3f}")
            self.total, self.count = 0.0, 0


def train(loader, model, criterion, optimizer, scheduler, epoch):
    show = Progress(print_freq)
    model.train()
    for i, (images, target) in enumerate(loader):
        loss = criterion(model(images), target)

        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 0.8)
        optimizer.step()
        scheduler.step()
        show(epoch, i, len(loader), loss.item(), norm.item())


def validate(loader, model, criterion):
    model.eval()
    with torch.no_grad():
        return sum(criterion(model(x), t).item() for x, t in loader) / len(loader)


def batches(n):
    for _ in range(n):
        t = torch.randint(0, 3, (8,))
        yield torch.randn(8, 3, 5, 5) + t[:, None, None, None] * 0.6, t


model = nn.Sequential(nn.Conv2d(3, 5, 3), nn.BatchNorm2d(5), nn.ReLU(), nn.Flatten(), nn.Linear(45, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
train_loader, val_loader = list(batches(12)), list(batches(3))
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, epochs=2, steps_per_epoch=len(train_loader))
for epoch in range(2):
    train(train_loader, model, criterion, optimizer, scheduler, epoch)
    print("val", round(validate(val_loader, model, criterion), 4))
