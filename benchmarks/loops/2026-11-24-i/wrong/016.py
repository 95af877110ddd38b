import torch
from torch import nn

torch.manual_seed(29)
BATCH, ACC = 8, 4
net = nn.Sequential(nn.Linear(5, 5), nn.ELU(), nn.Linear(5, 1))
opt = torch.optim.SGD(net.parameters(), 0.03)
feed = iter([(torch.randn(BATCH, 5), torch.randn(BATCH, 1)) for _ in range(32)])

for update in range(8):
    opt.zero_grad()
    for _ in range(ACC):
        x, y = next(feed)
        loss = nn.functional.mse_loss(net(x), y)
        (loss / BATCH).backward()
    opt.step()
    print(update, loss.item())
