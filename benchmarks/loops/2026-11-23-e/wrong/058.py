import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


class TripletNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(9, 32), nn.LeakyReLU(), nn.Linear(32, 8))

    def forward(self, x):
        return F.normalize(self.trunk(x), dim=-1)


protos = torch.randn(5, 9) * 2


def triplets(n):
    a = torch.randint(0, 5, (n,))
    b = (a + torch.randint(1, 5, (n,))) % 5
    jitter = lambda k: protos[k] + torch.randn(n, 9)
    return jitter(a), jitter(a), jitter(b)


micro_batches = 4
model = TripletNet()
criterion = nn.TripletMarginLoss(margin=0.5)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
all_losses = []

for update in range(15):
    for k in range(micro_batches):
        model.zero_grad()
        anchor, pos, neg = triplets(16)
        loss = criterion(model(anchor), model(pos), model(neg))
        (loss / micro_batches).backward()
        all_losses.append(loss)
    optimizer.step()
    if update % 5 == 0:
        recent = torch.stack(all_losses[-4:]).mean().item()
        print(f"update {update} triplet loss {recent:.4f}")

curve = torch.stack(all_losses)
print("first", curve[:8].mean().item(), "last", curve[-8:].mean().item())
