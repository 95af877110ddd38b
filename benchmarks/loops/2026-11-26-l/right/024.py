import torch
from torch.optim.lr_scheduler import CosineAnnealingWarmRestarts

torch.manual_seed(0)
imgs = torch.randn(60, 1, 8, 8)
angles = torch.randint(0, 4, (60,))
rotated = torch.stack([torch.rot90(i, int(k), (1, 2)) for i, k in zip(imgs, angles)])
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(64, 32), torch.nn.ReLU(), torch.nn.Linear(32, 4))
opt = torch.optim.SGD(net.parameters(), lr=0.2)
scheduler = CosineAnnealingWarmRestarts(opt, T_0=2, T_mult=1)
accum = 2
batches = list(zip(rotated.split(10), angles.split(10)))
for epoch in range(4):
    for i, (x, k) in enumerate(batches):
        loss = torch.nn.functional.cross_entropy(net(x), k)
        (loss / accum).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
        scheduler.step(epoch + (i + 1) / len(batches))
    print(epoch, round(loss.item(), 4), opt.param_groups[0]["lr"])
