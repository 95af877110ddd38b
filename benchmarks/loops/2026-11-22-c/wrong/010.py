import torch
from torch import nn

from birdsong import make_loader, make_model

MAX_STEPS = 3000
AGC = 0.02


@torch.no_grad()
def adaptive_clip_(parameters, factor, eps=1e-3):
    for p in parameters:
        if p.grad is None or p.ndim < 2:
            continue
        weight = p.flatten(1).norm(dim=1).clamp(min=eps)
        grad = p.grad.flatten(1).norm(dim=1)
        limit = weight * factor
        scale = torch.where(grad > limit, limit / grad.clamp(min=1e-6), torch.ones_like(grad))
        p.grad.mul_(scale.view(-1, *[1] * (p.ndim - 1)))


model = make_model("nfnet").cuda()
loader = make_loader("train", batch_size=64)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
lr_schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.4, total_steps=MAX_STEPS)
criterion = nn.BCEWithLogitsLoss()
scaler = torch.amp.GradScaler("cuda")

model.train()
step = 0
while step < MAX_STEPS:
    for spectrogram, species in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            loss = criterion(model(spectrogram.cuda()), species.cuda())
        scaler.scale(loss).backward()
        adaptive_clip_(model.parameters(), AGC)
        scaler.step(optimizer)
        scaler.update()
        lr_schedule.step()
        optimizer.zero_grad()
        step += 1
        if step % 100 == 0:
            print(f"{step}/{MAX_STEPS} {loss.item():.4f}")
        if step == MAX_STEPS:
            break
