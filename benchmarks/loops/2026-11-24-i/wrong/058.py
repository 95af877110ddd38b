import torch
from torch import nn

torch.manual_seed(239)
body, head = nn.Linear(6, 12), nn.Linear(12, 1)
model = nn.Sequential(body, nn.ReLU(), head)
data = [(torch.randn(8, 6), torch.randn(8, 1)) for _ in range(6)]

warm = torch.optim.SGD(head.parameters(), lr=0.05)
for x, y in data:
    warm.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    warm.step()

for p in model.parameters():
    p.grad = None
full = torch.optim.Adam(model.parameters(), lr=1e-3)
best, patience = float("inf"), 3
for epoch in range(20):
    total = 0.0
    for x, y in data:
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        full.step()
        total += loss.item()
    if total < best - 1e-4:
        best, patience = total, 3
    else:
        patience -= 1
        if patience == 0:
            break
print(epoch, best)
