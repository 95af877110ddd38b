import torch
from torch import nn

USE_CUDA = torch.cuda.is_available()
device = "cuda" if USE_CUDA else "cpu"
model = nn.Sequential(nn.Linear(9, 9), nn.SiLU(), nn.Linear(9, 1)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
scaler = torch.amp.GradScaler(device, enabled=USE_CUDA)


def grad_norm(parameters):
    return torch.stack([p.grad.norm() for p in parameters]).norm().item()


for step in range(20):
    batch = torch.randn(10, 9, device=device)
    with torch.autocast(device, dtype=torch.float16, enabled=USE_CUDA):
        loss = nn.functional.mse_loss(model(batch), batch[:, :1])
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    if step % 5 == 0:
        scaler.unscale_(optimizer)
        print(step, "grad norm", grad_norm(model.parameters()))
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    scaler.step(optimizer)
    scaler.update()
