import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(41)
ITERS_TO_ACCUMULATE = 4
table = torch.randn(104, 11)
churn = (table[:, :3].sum(1) > 0).float()
loader = DataLoader(TensorDataset(table, churn), batch_size=8, shuffle=True)
model = nn.Sequential(nn.Linear(11, 22), nn.SELU(), nn.AlphaDropout(0.05), nn.Linear(22, 1))
optimizer = torch.optim.Adamax(model.parameters(), lr=5e-3)
bce = nn.BCEWithLogitsLoss()

for epoch in range(2):
    n_updates = 0
    for i, (rows, y) in enumerate(loader):
        loss = bce(model(rows).squeeze(1), y) / ITERS_TO_ACCUMULATE
        loss.backward()
        if i % ITERS_TO_ACCUMULATE == 0 or i == len(loader) - 1:
            optimizer.step()
            optimizer.zero_grad()
            n_updates += 1
    print(f"[{epoch}] updates {n_updates} loss {loss.item() * ITERS_TO_ACCUMULATE:.4f}")
