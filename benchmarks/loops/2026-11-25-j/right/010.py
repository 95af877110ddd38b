import torch
from torch import nn

torch.manual_seed(110)
enc = nn.Sequential(nn.Linear(9, 18), nn.ReLU(), nn.Linear(18, 9))
opt = torch.optim.RMSprop(enc.parameters(), lr=1e-3)
batches = torch.randn(14, 10, 9)

pending = False
for x in batches:
    if pending:
        nn.utils.clip_grad_norm_(enc.parameters(), 0.5)
        opt.step()
        opt.zero_grad()
    loss = nn.functional.mse_loss(enc(x), x)
    loss.backward()
    pending = True
nn.utils.clip_grad_norm_(enc.parameters(), 0.5)
opt.step()
opt.zero_grad()
print("final", loss.item())
