import torch
import torch.nn as nn

from backbone import pretrained_vit
from data import loaders

train_loader, val_loader = loaders(batch_size=128)
model = pretrained_vit("B/16", classes=37)
for name, parameter in model.named_parameters():
    parameter.requires_grad = name.startswith(("blocks.11", "head"))

trainable = (p for p in model.parameters() if p.requires_grad)
optimizer = torch.optim.AdamW(trainable, lr=1e-4)
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)


def epoch_loss():
    total = 0.0
    model.train()
    for step, (x, y) in enumerate(train_loader, start=1):
        loss = criterion(model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(trainable, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        total += loss.item()
    return total / step


@torch.no_grad()
def accuracy():
    model.eval()
    right = sum((model(x).argmax(-1) == y).sum().item() for x, y in val_loader)
    return right / len(val_loader.dataset)


for epoch in range(15):
    print(epoch, epoch_loss(), accuracy())
