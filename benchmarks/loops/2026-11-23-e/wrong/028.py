import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(9)
cfg = dict(steps=20, micro_batch_size=6, grad_accum=3, lr=1e-2, wd=1e-4)


def forever(loader):
    while True:
        yield from loader


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(14, 32), nn.ReLU(), nn.Linear(32, 8))

    def forward(self, a, b):
        return (self.f(a) - self.f(b)).pow(2).sum(-1)


def contrastive(d, same, margin=1.0):
    pos = same * d
    neg = (1 - same) * torch.relu(margin - (d + 1e-6).sqrt()).pow(2)
    return (pos + neg).mean()


a = torch.randn(90, 14)
same = torch.randint(0, 2, (90,)).float()
b = torch.where(same[:, None] > 0, a + 0.1 * torch.randn_like(a), torch.randn_like(a))
loader = DataLoader(TensorDataset(a, b, same), batch_size=cfg["micro_batch_size"], shuffle=True)
batches = forever(loader)

model = Siamese()
optimizer = torch.optim.SGD(model.parameters(), lr=cfg["lr"], weight_decay=cfg["wd"])

for step in range(cfg["steps"]):
    optimizer.zero_grad()
    step_loss = 0.0
    for _ in range(cfg["grad_accum"]):
        xa, xb, s = next(batches)
        loss = contrastive(model(xa, xb), s)
        loss = loss / cfg["micro_batch_size"]
        loss.backward()
        step_loss += loss.item()
    optimizer.step()
    if step % 5 == 0:
        print(f"step {step:3d} | loss {step_loss:.4f}")
