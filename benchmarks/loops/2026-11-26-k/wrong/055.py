import torch
from torch import nn
from torch.nn import functional as F

AMP_DTYPE = torch.bfloat16


class TwoTower(nn.Module):
    def __init__(self):
        super().__init__()
        self.image = nn.Sequential(nn.Linear(48, 32), nn.GELU(), nn.Linear(32, 16))
        self.text = nn.EmbeddingBag(60, 16)
        self.scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, img, ids):
        a = F.normalize(self.image(img).float(), dim=1)
        b = F.normalize(self.text(ids).float(), dim=1)
        return self.scale.exp() * a @ b.t()


def clip_loss(sim):
    target = torch.arange(len(sim))
    return (F.cross_entropy(sim, target) + F.cross_entropy(sim.t(), target)) / 2


torch.manual_seed(47)
proto = torch.randn(60, 48)
model = TwoTower()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
scaler = torch.amp.GradScaler("cpu")
for step in range(40):
    ids = torch.randint(0, 60, (24, 5))
    img = proto[ids].mean(1) + 0.1 * torch.randn(24, 48)
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=AMP_DTYPE):
        loss = clip_loss(model(img, ids))
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    if step % 10 == 0:
        print(step, loss.item())
