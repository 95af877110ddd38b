import torch
from torch import nn

trunk = nn.Linear(9, 20)
depth, normal = nn.Linear(20, 1), nn.Linear(20, 3)
opt = torch.optim.SGD([*trunk.parameters(), *depth.parameters(), *normal.parameters()], lr=0.02)
weights = {"depth": 1.0, "normal": 0.5}

LOG_EVERY = 10
STEPS = 30


def log(step, **values):
    print(step, *(f"{k} {v.item():.3f}" for k, v in values.items()))


for step in range(STEPS):
    opt.zero_grad()
    # two separate batches, freed one after the other to save memory
    x = torch.randn(16, 9)
    d_loss = weights["depth"] * (depth(trunk(x).relu()) - x.sum(1, keepdim=True)).abs().mean()
    d_loss.backward()
    x = torch.randn(16, 9)
    n_loss = weights["normal"] * (1 - torch.cosine_similarity(normal(trunk(x).relu()), x[:, :3])).mean()
    n_loss.backward()
    opt.step()
    if step % LOG_EVERY == 0:
        log(step, depth=d_loss, normal=n_loss)
