import torch
from data import build_loader
from models import Net
from torch.cuda.amp import GradScaler, autocast

model = Net().cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
loader = build_loader("train")
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=2 * len(loader))
scaler = GradScaler()
for epoch in range(2):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        with autocast():
            loss = torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        before = scaler.get_scale()
        scaler.update()
        if scaler.get_scale() >= before:
            scheduler.step()
    print(epoch, loss.item(), scheduler.get_last_lr()[0])
