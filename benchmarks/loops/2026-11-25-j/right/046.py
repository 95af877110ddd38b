import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(146)
trunk, kind_head, size_head = nn.Linear(12, 24), nn.Linear(24, 4), nn.Linear(24, 1)
nets = nn.ModuleList([trunk, kind_head, size_head])
opt = torch.optim.NAdam(nets.parameters(), lr=2e-3)
scaler = torch.amp.GradScaler("cpu", init_scale=256.0)


def forward_losses(x, kind, size):
    with torch.autocast("cpu", dtype=torch.float16):
        h = torch.relu(trunk(x))
        a, b = kind_head(h), size_head(h)
    return F.cross_entropy(a.float(), kind), F.mse_loss(b.float().squeeze(1), size)


def backward(*losses):
    scaled = [scaler.scale(l) for l in losses]
    for part in scaled[:-1]:
        part.backward(retain_graph=True)
    scaled[-1].backward()
    return sum(l.item() for l in losses)


for step in range(10):
    x = torch.randn(20, 12)
    kind, size = x[:, :4].argmax(1), x[:, 5]
    opt.zero_grad()
    value = backward(*forward_losses(x, kind, size))
    scaler.step(opt)
    scaler.update()
    if step % 3 == 0:
        print(step, value)
