import torch
from torch import nn


def make(kind):
    trunk = nn.Linear(6, 12).to(kind)
    cls, reg = nn.Linear(12, 3).to(kind), nn.Linear(12, 1).to(kind)
    return trunk, cls, reg


torch.manual_seed(59)
kind = "cuda" if torch.cuda.is_available() else "cpu"
trunk, cls, reg = make(kind)
everything = nn.ModuleList([trunk, cls, reg])
opt = torch.optim.Adam(everything.parameters(), lr=3e-3)
scaler = torch.amp.GradScaler(kind)
for _ in range(15):
    x = torch.randn(14, 6, device=kind)
    c, v = x[:, :3].argmax(1), x.mean(1, keepdim=True)
    opt.zero_grad()
    with torch.autocast(kind, dtype=torch.float16, enabled=kind == "cuda"):
        h = torch.relu(trunk(x))
        first = nn.functional.cross_entropy(cls(h), c)
        second = nn.functional.mse_loss(reg(h), v)
    scaler.scale(first).backward(retain_graph=True)
    second.backward()
    scaler.step(opt)
    scaler.update()
print(first.item(), second.item())
