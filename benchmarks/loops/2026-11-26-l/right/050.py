import torch
from torch import nn

torch.manual_seed(0)
backbone = nn.Sequential(nn.Linear(18, 32), nn.ReLU(), nn.Linear(32, 8))
expander = nn.Linear(8, 18)
probe = nn.Linear(8, 3)
ssl_opt = torch.optim.SGD([*backbone.parameters(), *expander.parameters()], lr=0.05)
probe_opt = torch.optim.SGD(probe.parameters(), lr=0.3)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
for it in range(15):
    x = torch.randn(30, 18)
    y = x[:, :3].argmax(1)
    ssl_opt.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        z = backbone(x * (torch.rand_like(x) > 0.3))
        rec = nn.functional.mse_loss(expander(z), x.half())
    scaler.scale(rec).backward()
    scaler.step(ssl_opt)
    scaler.update()

    probe_opt.zero_grad()
    probe_loss = nn.functional.cross_entropy(probe(z.detach().float()), y)
    probe_loss.backward()
    probe_opt.step()
print(rec.item(), probe_loss.item())
