import copy

import torch
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR
from torch.utils.data import DataLoader, TensorDataset


def loop(net, loader, loss_fn, opt=None):
    training = opt is not None
    net.train(training)
    total = 0.0
    with torch.set_grad_enabled(training):
        for x, y in loader:
            loss = loss_fn(net(x), y)
            if training:
                opt.zero_grad()
                loss.backward()
                opt.step()
            total += loss.item()
    return total / len(loader)


torch.manual_seed(0)
x = torch.randn(90, 4)
y = x.max(dim=1, keepdim=True).values
train = DataLoader(TensorDataset(x[:60], y[:60]), batch_size=12, shuffle=True)
val = DataLoader(TensorDataset(x[60:], y[60:]), batch_size=30)
net = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Dropout(0.1), nn.Linear(12, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
sched = ExponentialLR(opt, 0.9)
best, state = float("inf"), None
for epoch in range(4):
    t = loop(net, train, nn.MSELoss(), opt)
    v = loop(net, val, nn.MSELoss())
    sched.step()
    if v < best:
        best, state = v, copy.deepcopy(net.state_dict())
    print(epoch, t, v)
net.load_state_dict(state)
