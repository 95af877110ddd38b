import torch
from torch import nn

EPOCHS, BATCHES, ACCUM = 2, 16, 4
net = nn.Sequential(nn.Linear(5, 30), nn.ReLU(), nn.Linear(30, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, total_steps=EPOCHS * BATCHES)


def batch():
    x = torch.randn(20, 5)
    return x, (x[:, 0] * x[:, 1] > 0).long()


for epoch in range(EPOCHS):
    opt.zero_grad()
    for b in range(1, BATCHES + 1):
        x, y = batch()
        loss = nn.functional.cross_entropy(net(x), y)
        (loss / ACCUM).backward()
        if b % ACCUM == 0:
            opt.step()
            opt.zero_grad()
        sched.step()
    print(epoch, f"loss {loss.item():.3f}", f"lr {sched.get_last_lr()[0]:.4f}")
