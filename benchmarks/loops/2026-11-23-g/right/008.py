# OneCycle over updates, one update per *virtual* batch; the inner loop only fills the gradients.
import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR

torch.manual_seed(33)

VIRTUAL_BATCH, CHUNK, UPDATES = 24, 8, 10

X = torch.randn(400, 7)
Y = torch.stack([X[:, 0] * X[:, 1], X[:, 2].abs()], dim=1)

net = nn.Sequential(nn.Linear(7, 32), nn.ELU(), nn.Linear(32, 2))
opt = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-3)
one_cycle = OneCycleLR(opt, max_lr=2e-2, total_steps=UPDATES + 1)

for update in range(UPDATES):
    chosen = torch.randint(0, len(X), (VIRTUAL_BATCH,))
    opt.zero_grad()
    virtual_loss = 0.0
    for piece in chosen.split(CHUNK):
        error = nn.functional.mse_loss(net(X[piece]), Y[piece], reduction="none").mean(1)
        part = error.sum() / VIRTUAL_BATCH
        part.backward()
        virtual_loss += part.item()
    nn.utils.clip_grad_value_(net.parameters(), 0.5)
    opt.step()
    one_cycle.step()
    if update % 3 == 0:
        print(f"update {update:2d} lr {one_cycle.get_last_lr()[0]:.5f} loss {virtual_loss:.4f}")
