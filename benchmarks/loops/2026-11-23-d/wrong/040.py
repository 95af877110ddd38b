import torch
from torch.cuda.amp import GradScaler, autocast

from data import build_loader
from models import Net

model = Net().cuda()
train_loader = build_loader("train")
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=3e-3, epochs=3, steps_per_epoch=len(train_loader))
criterion = torch.nn.CrossEntropyLoss()
scaler = GradScaler()

for epoch in range(3):
    model.train()
    for i, (inputs, targets) in enumerate(train_loader):
        inputs, targets = inputs.cuda(), targets.cuda()
        optimizer.zero_grad()
        with autocast():
            outputs = model(inputs)
            loss = criterion(outputs, targets)
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        scheduler.step()
    print(f"Epoch {epoch}: loss {loss.item():.4f}, lr {scheduler.get_last_lr()[0]:.2e}")
