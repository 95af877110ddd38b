import copy

import torch
from torch import nn

torch.manual_seed(9)
student = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 4))
teacher = copy.deepcopy(student).eval().requires_grad_(False)
optimizer = torch.optim.SGD(student.parameters(), lr=0.05)
T = 2.0

for step in range(25):
    x = torch.randn(32, 8)
    with torch.no_grad():
        soft = (teacher(x) / T).softmax(-1)
    logp = (student(x) / T).log_softmax(-1)
    kd = nn.functional.kl_div(logp, soft, reduction="batchmean") * T * T
    optimizer.zero_grad()
    kd.backward()
    optimizer.step()
    if step % 10 == 9:
        student.eval()
        with torch.no_grad():
            agree = (student(x).argmax(1) == teacher(x).argmax(1)).float().mean()
        student.train()
        print(step + 1, kd.item(), agree.item())
