import torch
from torch import nn


def micro_batches(n, seed):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        x = torch.randn(8, 10, generator=g)
        yield x, x.clamp(min=0).sum(1, keepdim=True)


STEPS_PER_EPOCH, WINDOW = 14, 4
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 1))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for epoch in range(3):
    for i, (x, y) in enumerate(micro_batches(STEPS_PER_EPOCH, epoch)):
        loss = nn.functional.mse_loss(net(x), y)
        (loss / WINDOW).backward()
        if i % WINDOW == WINDOW - 1 or i == STEPS_PER_EPOCH - 1:
            opt.step()
            opt.zero_grad()
    print(epoch, loss.item())
