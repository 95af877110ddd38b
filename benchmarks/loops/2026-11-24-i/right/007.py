import torch
from torch import nn

torch.manual_seed(7)
d = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Linear(5, 5).to(d)
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler(d)
A = 3
for i in range(12):
    x = torch.randn(6, 5, device=d)
    with torch.autocast(d, dtype=torch.float16, enabled=d == "cuda"):
        loss = nn.functional.mse_loss(net(x), x.roll(1, 1)) / A
    scaler.scale(loss).backward()
    if (i + 1) % A == 0:
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad(set_to_none=True)
print(loss.item() * A)
