import torch
from torch import nn

torch.manual_seed(31)
net = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
x_val = torch.randn(40, 4)
y_val = x_val.prod(1, keepdim=True)


def validate():
    net.eval()
    pred = net(x_val)
    return nn.functional.l1_loss(pred, y_val).item()


step = 0
while step < 60:
    net_in = torch.randn(24, 4)
    pred = net(net_in)
    loss = nn.functional.l1_loss(pred, net_in.prod(1, keepdim=True))
    opt.zero_grad()
    loss.backward()
    opt.step()
    step += 1
    if step % 15 == 0:
        print(step, loss.item(), validate())
