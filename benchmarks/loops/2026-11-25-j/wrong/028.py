import copy

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(28)


def mlp(width):
    return nn.Sequential(nn.Linear(8, width), nn.ReLU(), nn.Dropout(0.5), nn.Linear(width, 3))


teacher, student = mlp(64).eval().requires_grad_(False), mlp(12)
opt = torch.optim.SGD(student.parameters(), lr=0.1)
T = 3.0
probe = torch.randn(30, 8)
best_state, best_agree = None, -1.0

for rnd in range(5):
    for _ in range(4):
        x = torch.randn(20, 8)
        with torch.no_grad():
            soft = F.softmax(teacher(x) / T, dim=-1)
        log_p = F.log_softmax(student(x) / T, dim=-1)
        loss = F.kl_div(log_p, soft, reduction="batchmean") * T * T
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        student.eval()
        agree = (student(probe).argmax(1) == teacher(probe).argmax(1)).float().mean().item()
    if agree > best_agree:
        best_agree, best_state = agree, copy.deepcopy(student.state_dict())
    print(f"round {rnd}: kd {loss.item():.3f} agree {agree:.2f}")
student.load_state_dict(best_state)
