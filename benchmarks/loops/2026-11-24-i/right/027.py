import copy

import torch
from torch import nn

torch.manual_seed(27)
student = nn.Sequential(nn.Linear(5, 10), nn.ReLU(), nn.Dropout(0.2), nn.Linear(10, 3))
teacher = copy.deepcopy(student).requires_grad_(False)
opt = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9)
for it in range(15):
    lx, ux = torch.randn(6, 5), torch.randn(12, 5)
    with torch.no_grad():
        target = teacher(ux).softmax(1)
    loss = nn.functional.cross_entropy(student(lx), lx[:, :3].argmax(1))
    loss = loss + 0.5 * nn.functional.mse_loss(student(ux).softmax(1), target)
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for t, s in zip(teacher.parameters(), student.parameters()):
            t.mul_(0.9).add_(s, alpha=0.1)
