import torch
from torch import nn

rows = torch.randn(250, 9)
label = (rows[:, 0] > rows[:, 1]).long()
model = nn.Sequential(nn.Linear(9, 18), nn.ReLU(), nn.Linear(18, 2))
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
BATCH, MICRO = 100, 32


def step_on(index):
    opt.zero_grad()
    total = 0.0
    for part in index.split(MICRO):
        loss = nn.functional.cross_entropy(model(rows[part]), label[part])
        weighted = loss * len(part) / len(index)
        weighted.backward()
        total += weighted.item()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    return total


for epoch in range(4):
    losses = [step_on(index) for index in torch.randperm(250).split(BATCH)]
    print(epoch, [round(v, 3) for v in losses])
