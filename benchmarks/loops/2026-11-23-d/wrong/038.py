import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
use_amp = True
model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 5)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
scaler = torch.amp.GradScaler(device, enabled=use_amp)

for step in range(30):
    x = torch.randn(32, 16, device=device)
    y = torch.randint(0, 5, (32,), device=device)
    optimizer.zero_grad()
    with torch.autocast(device_type=device, dtype=torch.float16, enabled=use_amp):
        logits = model(x)
        loss = nn.functional.cross_entropy(logits, y)
        scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    if step % 10 == 0:
        acc = (logits.argmax(1) == y).float().mean().item()
        print(f"step {step} loss {loss.item():.3f} acc {acc:.2f}")
