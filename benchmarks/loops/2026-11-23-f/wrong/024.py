import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(8)
a, b = torch.randn(64, 5), torch.randn(32, 5)
train_dl = DataLoader(TensorDataset(a, a.sum(1)), batch_size=16, shuffle=True)
valid_dl = DataLoader(TensorDataset(b, b.sum(1)), batch_size=16)
model = nn.Sequential(nn.Linear(5, 9), nn.ReLU(), nn.Dropout(0.2), nn.Linear(9, 1))
loss_func = nn.MSELoss()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
patience, bad, best = 2, 0, float("inf")

for epoch in range(6):
    model.train()
    for xb, yb in train_dl:
        loss = loss_func(model(xb).squeeze(-1), yb)
        loss.backward()
        opt.step()
        opt.zero_grad()

    model.eval()
    val = 0.0
    for xb, yb in valid_dl:
        val += loss_func(model(xb).squeeze(-1), yb).item()
    val /= len(valid_dl)
    print(epoch, f"{val:.4f}")
    if val < best:
        best, bad = val, 0
    else:
        bad += 1
        if bad > patience:
            break
