import math

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Monitor:
    def __init__(self):
        self.norms = []

    def __call__(self, model):
        self.norms.append(clip_grad_norm_(model.parameters(), math.inf).item())


torch.manual_seed(109)
series = torch.cumsum(torch.randn(40, 30), dim=1)
model = nn.LSTM(1, 12, batch_first=True, proj_size=1)
optimizer = torch.optim.Rprop(model.parameters(), lr=0.01)
monitor = Monitor()
inputs = (series[:, :-1, None] - series.mean()) / series.std()
target = (series[:, 1:, None] - series.mean()) / series.std()
for epoch in range(12):
    optimizer.zero_grad()
    out, _ = model(inputs)
    loss = nn.functional.mse_loss(out, target)
    loss.backward()
    optimizer.step()
    monitor(model)
print(loss.item(), [round(n, 3) for n in monitor.norms[::4]])
