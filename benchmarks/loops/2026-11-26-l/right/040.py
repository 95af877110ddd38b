import torch
from contextlib import nullcontext
from torch import nn

torch.manual_seed(0)
amp = torch.autocast("cpu", dtype=torch.bfloat16)
if not torch.backends.mkldnn.is_available():
    amp = nullcontext()
net = nn.Sequential(nn.Linear(9, 27), nn.GELU(), nn.Linear(27, 9))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
ctx = torch.enable_grad()
for it in range(12):
    x = torch.randn(10, 9)
    with ctx:
        with amp:
            z = net(x)
            with torch.autocast("cpu", enabled=False):
                z = nn.functional.normalize(z.float(), dim=-1)
                loss = (z @ z.T - torch.eye(10)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    if it % 4 == 0:
        print(it, loss.item())
