import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
labelled_x, labelled_y = torch.randn(40, 10), torch.randint(0, 3, (40,))
unlabelled = torch.randn(80, 10)
net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
scaler = torch.amp.GradScaler("cpu", init_scale=4096.0)

for epoch in range(3):
    for k in range(4):
        xb, yb = labelled_x[k * 10:(k + 1) * 10], labelled_y[k * 10:(k + 1) * 10]
        ub = unlabelled[k * 20:(k + 1) * 20]
        optimizer.zero_grad()
        supervised = F.cross_entropy(net(xb), yb)
        scaler.scale(supervised).backward()
        with torch.no_grad():
            pseudo = net(ub).softmax(-1)
        consistency = F.mse_loss(net(ub + 0.1 * torch.randn_like(ub)).softmax(-1), pseudo)
        consistency.backward()
        scaler.step(optimizer)
        scaler.update()
    print(epoch, supervised.item(), consistency.item())
