from functools import partial

import torch
from torch import nn


def apply(opt, clip, loss):
    opt.zero_grad()
    loss.backward()
    clip()
    opt.step()


torch.manual_seed(41)
net = nn.Conv1d(1, 2, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
update = partial(apply, opt, partial(nn.utils.clip_grad_norm_, list(net.parameters()), 0.3))
for _ in range(10):
    x = torch.randn(4, 1, 9)
    update(net(x).pow(2).mean())
