import torch
from torch import nn
from torch.optim.lr_scheduler import PolynomialLR

torch.manual_seed(0)
N_EPOCHS = 5
net = nn.Sequential(nn.Conv1d(2, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 14, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
poly = PolynomialLR(opt, total_iters=N_EPOCHS, power=0.9)
x, y = torch.randn(72, 2, 16), torch.randint(0, 3, (72,))
for epoch in range(N_EPOCHS):
    if epoch > 0:
        poly.step()
    for idx in torch.randperm(72).split(18):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x[idx]), y[idx])
        loss.backward()
        opt.step()
    print(epoch, opt.param_groups[0]["lr"], loss.item())
