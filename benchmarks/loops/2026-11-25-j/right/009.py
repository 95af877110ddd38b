import torch
from torch import nn


class Energy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 32), nn.Softplus(), nn.Linear(32, 1))

    @torch.autocast(device_type="cpu", dtype=torch.bfloat16)
    def forward(self, coords):
        return self.body(coords).float().squeeze(-1)


torch.manual_seed(109)
model = Energy()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(6):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        coords = torch.randn(20, 6)
        pred = model(coords)
        with torch.autocast("cpu", enabled=False):
            loss = nn.functional.mse_loss(pred.float(), coords.pow(2).sum(1))
            l2 = sum(p.pow(2).sum() for p in model.parameters())
            opt.zero_grad()
            (loss + 1e-4 * l2).backward()
    opt.step()
    print(step, round(loss.item(), 4))
