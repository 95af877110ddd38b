import torch
from torch import nn


class Quantile(nn.Module):
    def __init__(self, taus):
        super().__init__()
        self.register_buffer("taus", torch.tensor(taus))
        self.net = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, len(taus)))

    def loss(self, x, y):
        e = y - self.net(x)
        return torch.maximum(self.taus * e, (self.taus - 1) * e).mean()


def fit(model, stream, optimizer, scaler):
    skipped = 0
    for x, y in stream:
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            loss = model.loss(x, y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        if not torch.isfinite(norm):
            skipped += 1
            continue
        scaler.step(optimizer)
        scaler.update()
    return loss.item(), skipped


torch.manual_seed(45)
stream = []
for _ in range(40):
    x = torch.randn(16, 4)
    stream.append((x, x[:, :1] + torch.randn(16, 1)))
model = Quantile([0.1, 0.5, 0.9])
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
print(fit(model, stream, opt, torch.amp.GradScaler("cpu", init_scale=2048.0)))
