import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

cli = argparse.ArgumentParser()
cli.add_argument("--accumulation-steps", type=int, default=4)
opts = cli.parse_args([])
torch.manual_seed(32)
loader = DataLoader(TensorDataset(torch.randn(54, 4), torch.randint(0, 3, (54,))), batch_size=9)
net = nn.Linear(4, 3)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
n = len(loader)
for epoch in range(2):
    for i, (x, t) in enumerate(loader):
        start = i - i % opts.accumulation_steps
        size = min(opts.accumulation_steps, n - start)
        (nn.functional.cross_entropy(net(x), t) / size).backward()
        if (i + 1) % opts.accumulation_steps == 0 or i + 1 == n:
            opt.step()
            opt.zero_grad()
