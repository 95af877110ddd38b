import torch
from torch import nn


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 18), nn.ReLU())
        self.kind = nn.Linear(18, 3)
        self.size = nn.Linear(18, 1)


model = TwoHeads()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
weights = {"kind": 1.0, "size": 0.3}

for step in range(30):
    xa, xb = torch.randn(12, 6), torch.randn(20, 6)
    optimizer.zero_grad()

    loss_kind = nn.functional.cross_entropy(model.kind(model.body(xa)), xa[:, :3].argmax(1))
    (weights["kind"] * loss_kind).backward()

    loss_size = nn.functional.mse_loss(model.size(model.body(xb)), xb.norm(dim=1, keepdim=True))
    (weights["size"] * loss_size).backward()

    nn.utils.clip_grad_norm_(model.parameters(), 2.0)
    optimizer.step()
    if step % 10 == 0:
        print(step, loss_kind.item(), loss_size.item())
