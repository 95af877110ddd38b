import torch
from torch import nn

torch.manual_seed(50)
net = nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for phase, accumulate in enumerate((1, 2, 4)):
    for update in range(3):
        for _ in range(accumulate):
            x = torch.randn(6, 3)
            (nn.functional.mse_loss(net(x), x[:, :1]) / accumulate).backward()
        opt.step()
        opt.zero_grad()
