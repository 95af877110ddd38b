from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def evaluating(module):
    was_training = module.training
    module.eval()
    try:
        with torch.inference_mode():
            yield module
    finally:
        module.train(was_training)


torch.manual_seed(132)
net = nn.Sequential(nn.Linear(4, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.25), nn.Linear(32, 1))
opt = torch.optim.AdamW(net.parameters(), lr=1e-2)
loss_fn = nn.SmoothL1Loss()
X = torch.rand(200, 4) * 4 - 2
y = (X[:, :1] * X[:, 1:2]).sin()
net.train()
for step in range(1, 31):
    rows = torch.randint(0, 160, (32,))
    opt.zero_grad()
    loss = loss_fn(net(X[rows]), y[rows])
    loss.backward()
    opt.step()
    if step % 10 == 0:
        with evaluating(net) as frozen:
            val = loss_fn(frozen(X[160:]), y[160:]).item()
        print(f"step {step} train {loss.item():.3f} val {val:.3f} training={net.training}")
