import torch
from torch import nn


def update(loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


flow = nn.Sequential(nn.Linear(3, 32), nn.SiLU(), nn.Linear(32, 2))
optimizer = torch.optim.AdamW(flow.parameters(), lr=2e-3)

for step in range(60):
    x1 = torch.randn(64, 2) * 0.3 + torch.tensor([1.0, -1.0])
    x0 = torch.randn_like(x1)
    t = torch.rand(64, 1)
    xt = (1 - t) * x0 + t * x1
    velocity = flow(torch.cat([xt, t], dim=1))
    loss = (velocity - (x1 - x0)).pow(2).mean()
    update(loss, optimizer)
    if step % 20 == 0:
        print(f"flow matching {step}: {loss.item():.3f}")

with torch.no_grad():
    z = torch.randn(200, 2)
    for k in range(10):
        z += flow(torch.cat([z, torch.full((200, 1), k / 10)], dim=1)) / 10
print("mean of the samples", z.mean(0).tolist())
