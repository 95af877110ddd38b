import torch
from torch import nn

from data import train_dataloader
from models import build_transformer

DTYPE = torch.bfloat16
MAX_NORM = 1.0

device = torch.device("cuda", 0)
model = build_transformer(layers=12, heads=12, dim=768).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, betas=(0.9, 0.95), fused=True)
scaler = torch.amp.GradScaler("cuda")
criterion = nn.CrossEntropyLoss()


def step(tokens):
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    with torch.amp.autocast("cuda", dtype=DTYPE):
        logits = model(inputs)
        loss = criterion(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1))
    optimizer.zero_grad(set_to_none=True)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
    scaler.step(optimizer)
    scaler.update()
    return loss.detach(), norm


model.train()
for n, batch in enumerate(train_dataloader):
    loss, norm = step(batch.to(device))
    if n % 100 == 0:
        print(f"{n} loss={loss.item():.3f} norm={norm.item():.2f}")
