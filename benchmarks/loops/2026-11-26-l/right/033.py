import torch
from torch import nn

torch.manual_seed(0)
LOG_EVERY = 5
ckpt = None
net = nn.GRUCell(3, 12)
head = nn.Linear(12, 3)
mods = nn.ModuleDict({"cell": net, "head": head})
opt = torch.optim.Adam(mods.parameters(), lr=5e-3)
for i in range(21):
    seq = torch.randn(10, 8, 3).cumsum(0)
    h = torch.zeros(8, 12)
    loss = 0.0
    for t in range(9):
        h = net(seq[t], h)
        loss = loss + nn.functional.mse_loss(head(h), seq[t + 1]) / 9
    mods.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(mods.parameters(), 1.0)
    opt.step()
    if i % LOG_EVERY == 0:
        print(i, loss.item())
        ckpt = {k: v.clone() for k, v in mods.state_dict().items()}
mods.load_state_dict(ckpt)
