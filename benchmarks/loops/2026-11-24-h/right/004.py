import argparse
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser(description="MNIST-like example")
parser.add_argument("--update-every", type=int, default=4, help="batches between progress updates")
parser.add_argument("--n-classes", type=int, default=10)
parser.add_argument("--steps-per-ckpt", type=int, default=8)
args = parser.parse_args()

torch.manual_seed(1)
net = nn.Sequential(nn.Flatten(), nn.Linear(36, 32), nn.ReLU(), nn.Linear(32, args.n_classes))
optimizer = torch.optim.Adadelta(net.parameters(), lr=1.0)
loader = DataLoader(TensorDataset(torch.rand(320, 1, 6, 6), torch.randint(0, 10, (320,))), batch_size=20, shuffle=True)
best, snapshot = float("inf"), None

for epoch in range(1, 3):
    net.train()
    window_loss = 0.0
    for batch_idx, (data, target) in enumerate(loader):
        optimizer.zero_grad()
        per_class = F.nll_loss(F.log_softmax(net(data), 1), target, reduction="none")
        loss = per_class.sum() / args.n_classes
        loss.backward()
        optimizer.step()
        window_loss += loss.item() / args.update_every
        if (batch_idx + 1) % args.update_every == 0:
            sys.stdout.write(f"epoch {epoch} [{batch_idx + 1}/{len(loader)}] loss {window_loss:.4f}\n")
            window_loss = 0.0
        if (batch_idx + 1) % args.steps_per_ckpt == 0 and loss.item() < best:
            best = loss.item()
            snapshot = {k: v.clone() for k, v in net.state_dict().items()}
print("best", best)
