import torch
from torch import nn

BATCHES, ACCUM = 24, 4
assert BATCHES % ACCUM == 0


def epoch_data(seed):
    g = torch.Generator().manual_seed(seed)
    for _ in range(BATCHES):
        x = torch.randn(12, 5, generator=g)
        yield x, x.abs().sum(1, keepdim=True)


model = nn.Sequential(nn.Linear(5, 25), nn.ReLU(), nn.Linear(25, 1))
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(2):
    for i, (x, y) in enumerate(epoch_data(epoch), 1):
        loss = nn.functional.smooth_l1_loss(model(x), y)
        (loss / ACCUM).backward()
        if i % ACCUM == 0:
            opt.step()
            opt.zero_grad()
    print("epoch", epoch, "loss", loss.item())
