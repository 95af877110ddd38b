import argparse

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

ap = argparse.ArgumentParser()
ap.add_argument("--grad-acc", type=int, default=4)
ap.add_argument("--epochs", type=int, default=2)
args = ap.parse_args([])

torch.manual_seed(1)
data = TensorDataset(torch.randn(160, 6), torch.randint(0, 3, (160,)))
loader = DataLoader(data, batch_size=10, shuffle=True)
model = nn.Linear(6, 3)
optimizer = optim.AdamW(model.parameters(), lr=1e-2)
updates = args.epochs * len(loader) // args.grad_acc
lr_sched = optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=updates)
crit = nn.CrossEntropyLoss()

for ep in range(args.epochs):
    optimizer.zero_grad()
    for i, (a, b) in enumerate(loader):
        loss = crit(model(a), b) / args.grad_acc
        loss.backward()
        if (i + 1) % args.grad_acc == 0:
            optimizer.step()
            optimizer.zero_grad()
        lr_sched.step()
    print(ep, lr_sched.get_last_lr())
