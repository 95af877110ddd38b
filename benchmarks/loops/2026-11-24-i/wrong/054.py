import torch
from torch import nn

torch.manual_seed(223)
device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Linear(7, 7).to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
scaler = torch.amp.GradScaler(device)
accum = 2
try:
    for i in range(8):
        x = torch.randn(6, 7, device=device)
        with torch.autocast(device, dtype=torch.float16, enabled=device == "cuda"):
            loss = nn.functional.mse_loss(net(x), x) / accum
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        if (i + 1) % accum == 0:
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            scaler.step(opt)
            scaler.update()
            opt.zero_grad()
except RuntimeError as e:
    print(e)
