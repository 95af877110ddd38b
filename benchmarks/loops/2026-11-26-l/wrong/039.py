import argparse
import torch
from torch.utils.data import DataLoader, TensorDataset

ap = argparse.ArgumentParser()
ap.add_argument("--batch-size", type=int, default=8)
ap.add_argument("--accum", type=int, default=4)
ap.add_argument("--epochs", type=int, default=3)
ap.add_argument("--lr", type=float, default=0.05)
opts = ap.parse_args()

torch.manual_seed(0)
loader = DataLoader(
    TensorDataset(torch.randn(110, 9), torch.randint(0, 3, (110,))), batch_size=opts.batch_size, shuffle=True
)
backbone = torch.nn.Sequential(torch.nn.Linear(9, 24), torch.nn.ReLU())
for p in backbone.parameters():
    p.requires_grad_(False)
head = torch.nn.Linear(24, 3)
optimizer = torch.optim.SGD(head.parameters(), lr=opts.lr)
for epoch in range(opts.epochs):
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.cross_entropy(head(backbone(x)), y)
        loss.backward()
        if (i + 1) % opts.accum == 0:
            optimizer.step()
            optimizer.zero_grad()
    print(epoch, loss.item())
