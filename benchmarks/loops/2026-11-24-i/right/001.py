import torch
import torch.nn as nn

torch.manual_seed(1)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
opt = torch.optim.SGD(net.parameters(), 0.1)
lossf = nn.CrossEntropyLoss()
for i in range(30):
    x = torch.randn(10, 4)
    loss = lossf(net(x), (x[:, 0] > 0).long())
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
print(loss.item())
