import torch
from torch import nn

tasks = [(torch.randn(20, 7), torch.randn(20, 1)) for _ in range(5)]
shared = nn.Linear(7, 12)
EPOCHS = 20
# one small head for each task, all of them on the same features
heads = nn.ModuleList(nn.Linear(12, 1) for _ in tasks)
opt = torch.optim.Adam([*shared.parameters(), *heads.parameters()], lr=5e-3)
log = []

for epoch in range(EPOCHS):
    total = 0
    for head, (x, y) in zip(heads, tasks):
        total = total + nn.functional.mse_loss(head(shared(x).relu()), y)
    mean = total / len(tasks)
    opt.zero_grad()
    mean.backward()
    opt.step()
    log.append(mean.detach())
print("first", log[0].item(), "last", log[-1].item())
print("curve", torch.stack(log)[::5].tolist())
