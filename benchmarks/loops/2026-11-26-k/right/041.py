import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingWarmRestarts

torch.manual_seed(141)
WINDOW = 2
batches = []
for _ in range(9):
    v = torch.randn(12, 10)
    batches.append((v, v.sort(dim=1).values[:, :3]))

model = nn.Sequential(nn.Linear(10, 48), nn.ReLU(), nn.Linear(48, 3))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
restarts = CosineAnnealingWarmRestarts(optimizer, T_0=2, T_mult=1, eta_min=1e-4)

for epoch in range(4):
    for i, (v, smallest) in enumerate(batches):
        loss = nn.functional.mse_loss(model(v), smallest) / WINDOW
        loss.backward()
        if i % WINDOW == WINDOW - 1 or i == len(batches) - 1:
            optimizer.step()
            optimizer.zero_grad()
        restarts.step(epoch + (i + 1) / len(batches))
    print(epoch, f"{loss.item() * WINDOW:.4f}", f"{optimizer.param_groups[0]['lr']:.5f}")
