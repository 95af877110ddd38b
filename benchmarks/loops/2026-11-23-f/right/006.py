import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = "cpu"
cfg = dict(epochs=2, accum=4, clip=1.0, lr=1e-3)
x = torch.randn(88, 10)
loader = DataLoader(TensorDataset(x, x.norm(dim=1, keepdim=True)), batch_size=8)
model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 1)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"])
scaler = torch.amp.GradScaler(device, init_scale=1024.0)

for epoch in range(cfg["epochs"]):
    model.train()
    for i, (xb, yb) in enumerate(loader):
        with torch.autocast(device_type=device, dtype=torch.float16):
            pred = model(xb.to(device))
            loss = nn.functional.mse_loss(pred.float(), yb.to(device))
        scaler.scale(loss / cfg["accum"]).backward()

        boundary = (i + 1) % cfg["accum"] == 0
        is_last = i + 1 == len(loader)
        if not (boundary or is_last):
            continue
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), cfg["clip"])
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
    print(f"epoch {epoch}: {loss.item():.4f} scale {scaler.get_scale()}")
