import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
MAX_UPDATES, WIN = 12, 4
loader = DataLoader(TensorDataset(torch.randn(64, 5), torch.randn(64, 1)), batch_size=8, shuffle=True)
net = nn.Sequential(nn.Linear(5, 10), nn.Tanh(), nn.Linear(10, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = CosineAnnealingLR(optimizer, T_max=MAX_UPDATES)
it = iter(loader)


def draw():
    global it
    try:
        return next(it)
    except StopIteration:
        it = iter(loader)
        return next(it)


for update in range(MAX_UPDATES):
    total = 0.0
    for _ in range(WIN):
        x, y = draw()
        loss = nn.functional.mse_loss(net(x), y) / WIN
        loss.backward()
        scheduler.step()
        total += loss.item()
    optimizer.step()
    optimizer.zero_grad()
    if update % 4 == 0:
        print(update, total, scheduler.get_last_lr()[0])
