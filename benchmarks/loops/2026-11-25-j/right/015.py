import torch
from torch import nn
from torch.optim.lr_scheduler import LinearLR

torch.manual_seed(115)
base = nn.Sequential(nn.Linear(10, 16), nn.Tanh())
adapter = nn.Sequential(nn.Linear(16, 4), nn.ReLU(), nn.Linear(4, 16))
clf = nn.Linear(16, 3)
base.requires_grad_(False)


def forward(x):
    h = base(x)
    return clf(h + adapter(h))


everything = nn.ModuleList([base, adapter, clf])
tuned = list(filter(lambda p: p.requires_grad, everything.parameters()))
optimizer = torch.optim.Adam(tuned, lr=1e-2)
ramp = LinearLR(optimizer, start_factor=0.1, total_iters=6)
for it in range(12):
    x = torch.randn(14, 10)
    y = x[:, :3].argmax(1)
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(forward(x), y)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(tuned, 0.3)
    optimizer.step()
    ramp.step()
print(f"{len(tuned)} tensors, loss {loss.item():.3f}, lr {ramp.get_last_lr()[0]}")
