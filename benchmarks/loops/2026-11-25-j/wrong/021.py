import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
EPOCHS, ACCUM = 2, 4
images, labels = torch.rand(64, 1, 8, 8), torch.randint(0, 5, (64,))
loader = DataLoader(TensorDataset(images, labels), batch_size=4, shuffle=True)

net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(144, 5))
opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
sched = OneCycleLR(opt, max_lr=0.1, epochs=EPOCHS, steps_per_epoch=len(loader))

for epoch in range(EPOCHS):
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(net(x), y) / ACCUM
        loss.backward()
        if (i + 1) % ACCUM == 0 or (i + 1) == len(loader):
            opt.step()
            opt.zero_grad()
        sched.step()
    print(epoch, sched.get_last_lr()[0], loss.item() * ACCUM)
