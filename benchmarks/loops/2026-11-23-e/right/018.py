import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ap = argparse.ArgumentParser()
ap.add_argument("--accumulate-grad-batches", type=int, default=4)
ap.add_argument("--epochs", type=int, default=2)
ap.add_argument("--batch-size", type=int, default=10)
args = ap.parse_args()

torch.manual_seed(0)


class SetTransformer(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.up = nn.Linear(2, d)
        self.enc = nn.TransformerEncoderLayer(d, 2, 32, dropout=0.0, batch_first=True)
        self.out = nn.Linear(d, 1)

    def forward(self, s):
        return self.out(self.enc(self.up(s)).mean(1)).squeeze(-1)


sets = torch.rand(270, 6, 2)
area = (sets.amax(1) - sets.amin(1)).prod(-1)
loader = DataLoader(TensorDataset(sets, area), batch_size=args.batch_size, shuffle=True)
n_batches, n_acc = len(loader), args.accumulate_grad_batches
remainder = n_batches % n_acc
tail_start = n_batches - remainder

model = SetTransformer()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)

for epoch in range(args.epochs):
    model.train()
    for i, (s, a) in enumerate(loader):
        window = remainder if i >= tail_start else n_acc
        loss = nn.functional.mse_loss(model(s), a)
        (loss / window).backward()

        end_of_window = (i + 1) % n_acc == 0
        end_of_epoch = i + 1 == n_batches
        if end_of_window or end_of_epoch:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
    print(f"epoch {epoch} loss {loss.item():.5f}")
