import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(7, 30), nn.ReLU(), nn.Linear(30, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
MAX_NORM = 0.5

for step in range(16):
    x = torch.randn(20, 7)
    y = x.abs().sum(1, keepdim=True)
    with torch.autocast("cpu", dtype=torch.float16):
        pred = net(x)
    loss = nn.functional.mse_loss(pred.float(), y)
    opt.zero_grad()
    scaler.scale(loss).backward()
    nn.utils.clip_grad_norm_(net.parameters(), MAX_NORM * scaler.get_scale())
    scaler.step(opt)
    scaler.update()
print(loss.item(), scaler.get_scale())
