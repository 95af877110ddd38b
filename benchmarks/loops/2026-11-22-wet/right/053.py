import torch
from torch.cuda.amp import GradScaler, autocast

from augment import cutmix
from data import train_loader
from models import densenet

model = densenet(growth=32, classes=200).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
scaler = GradScaler()
criterion = torch.nn.CrossEntropyLoss()


def update(image, target):
    optimizer.zero_grad(set_to_none=True)
    with autocast():
        loss = criterion(model(image), target)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
    scaler.step(optimizer)
    scaler.update()
    return loss.item()


for epoch in range(100):
    model.train()
    clean = mixed = 0.0
    for image, target in train_loader:
        image, target = image.cuda(), target.cuda()
        clean += update(image, target)
        mixed += update(*cutmix(image, target, alpha=1.0))
    print(epoch, clean / len(train_loader), mixed / len(train_loader))
