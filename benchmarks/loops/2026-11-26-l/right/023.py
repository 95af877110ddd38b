import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
EPOCHS, ACCUM = 3, 2
loader = DataLoader(TensorDataset(torch.randn(90, 8), torch.randn(90, 1)), batch_size=10)
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
sched = OneCycleLR(opt, max_lr=0.1, total_steps=EPOCHS * len(loader))
opt.zero_grad()
for epoch in range(EPOCHS):
    for i, (x, y) in enumerate(loader, 1):
        loss = nn.functional.mse_loss(net(x), y) / ACCUM
        loss.backward()
        if i % ACCUM == 0 or i == len(loader):
            opt.step()
            opt.zero_grad()
        sched.step()
    print(epoch, sched.get_last_lr()[0], ACCUM * loss.item())
