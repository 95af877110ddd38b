import copy

import torch
from torch import nn

student = nn.Sequential(nn.Linear(12, 32), nn.GELU(), nn.Linear(32, 6))
teacher = copy.deepcopy(student).eval()
for p in teacher.parameters():
    p.requires_grad = False
opt = torch.optim.AdamW(student.parameters(), lr=1e-3, weight_decay=0.04)


def views(x):
    return x + 0.1 * torch.randn_like(x), x * (torch.rand_like(x) > 0.1)


def update_teacher(m):
    for s, t in zip(student.parameters(), teacher.parameters()):
        t.data.mul_(m).add_(s.data, alpha=1 - m)


for step in range(40):
    a, b = views(torch.randn(64, 12))
    goal = (teacher(a) / 0.04).softmax(-1)
    loss = -(goal * (student(b) / 0.1).log_softmax(-1)).sum(-1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    update_teacher(0.99 + 0.01 * step / 40)
    if step % 10 == 0:
        print(f"it {step} loss {loss.item():.3f}")
