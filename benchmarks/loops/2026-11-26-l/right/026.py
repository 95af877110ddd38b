import copy
import torch
from torch import nn


class EMA:
    def __init__(self, net, decay=0.95):
        self.shadow = copy.deepcopy(net).requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, net):
        for s, p in zip(self.shadow.state_dict().values(), net.state_dict().values()):
            if s.dtype.is_floating_point:
                s.lerp_(p, 1 - self.decay)
            else:
                s.copy_(p)


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 24), nn.BatchNorm1d(24), nn.SiLU(), nn.Dropout(0.1), nn.Linear(24, 1))
ema = EMA(net)
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
vx = torch.randn(50, 6)
vy = vx.sin().sum(1, keepdim=True)
for step in range(1, 41):
    x = torch.randn(32, 6)
    loss = nn.functional.mse_loss(net(x), x.sin().sum(1, keepdim=True))
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema.update(net)
    if step % 10 == 0:
        ema.shadow.eval()
        val = nn.functional.mse_loss(ema.shadow(vx), vy)
        print(step, loss.item(), val.item())
