import torch
from torch import nn

torch.manual_seed(0)


class HyperNet(nn.Module):
    def __init__(self, cond=3, hid=12):
        super().__init__()
        self.hid = hid
        self.gen = nn.Sequential(nn.Linear(cond, 32), nn.SiLU(), nn.Linear(32, 2 * hid + 1))

    def forward(self, c, x):
        w1, w2, b = self.gen(c).split([self.hid, self.hid, 1], dim=-1)
        h = torch.tanh(x * w1)
        return (h * w2).sum(-1, keepdim=True) + b


def count(params):
    return sum(p.numel() for p in params)


model = HyperNet()
params = model.named_parameters()
weights = (p for name, p in params if not name.endswith("bias"))
print("weights:", count(weights))

optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=10, gamma=0.8)

for step in range(40):
    cond = torch.rand(64, 3)
    x = torch.rand(64, 1) * 4 - 2
    y = torch.sin(x * (1 + cond[:, :1])) * cond[:, 1:2] + cond[:, 2:]

    optimizer.zero_grad()
    loss = (model(cond, x) - y).square().mean()
    loss.backward()
    nn.utils.clip_grad_norm_(weights, 0.5)
    optimizer.step()
    scheduler.step

    if step % 10 == 0:
        print(f"{step:3d} {loss.item():.4f} {optimizer.param_groups[0]['lr']:.1e}")
