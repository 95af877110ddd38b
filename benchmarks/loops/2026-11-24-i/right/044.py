import torch
from torch import nn

torch.manual_seed(44)
d = "cuda" if torch.cuda.is_available() else "cpu"
one, two = nn.Linear(4, 2).to(d), nn.Linear(2, 4).to(d)
o1, o2 = torch.optim.Adam(one.parameters()), torch.optim.Adam(two.parameters())
scaler = torch.amp.GradScaler(d)
for _ in range(10):
    x = torch.randn(6, 4, device=d)
    with torch.autocast(d, dtype=torch.float16, enabled=d == "cuda"):
        code = one(x)
        rec = (two(code) - x).pow(2).mean()
        small = code.pow(2).mean()
    o1.zero_grad()
    o2.zero_grad()
    scaler.scale(small).backward(retain_graph=True)
    scaler.scale(rec).backward()
    for o, m in ((o1, one), (o2, two)):
        scaler.unscale_(o)
        nn.utils.clip_grad_norm_(m.parameters(), 1.0)
        scaler.step(o)
    scaler.update()
