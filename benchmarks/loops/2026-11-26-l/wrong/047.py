import torch
from torch import nn

torch.manual_seed(8)
trunk = nn.Sequential(nn.Linear(14, 28), nn.ReLU())
trunk.requires_grad_(False)
model = nn.Sequential(trunk, nn.Linear(28, 28), nn.ReLU(), nn.Linear(28, 1))
trainable = filter(lambda p: p.requires_grad, model.parameters())
optimizer = torch.optim.SGD(trainable, lr=0.02, momentum=0.9)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)

X = 2 * torch.randn(120, 14)
T = X.pow(2).sum(1, keepdim=True) / 10
for epoch in range(4):
    order = torch.randperm(len(X))
    for idx in order.split(30):
        optimizer.zero_grad()
        mse = nn.functional.mse_loss(model(X[idx]), T[idx])
        mse.backward()
        nn.utils.clip_grad_norm_(trainable, max_norm=1.0)
        optimizer.step()
    scheduler.step()
    print(epoch, mse.item(), scheduler.get_last_lr()[0])
