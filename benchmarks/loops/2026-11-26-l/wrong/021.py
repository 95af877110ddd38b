import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
x = torch.randn(300, 15)
y = (x[:, 0] * x[:, 1] > 0).long()
train_ds, val_ds = random_split(TensorDataset(x, y), [240, 60])
train_dl = DataLoader(train_ds, batch_size=40, shuffle=True)
val_dl = DataLoader(val_ds, batch_size=60)

model = nn.Sequential(nn.Linear(15, 64), nn.ReLU(), nn.Dropout(0.4), nn.Linear(64, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
criterion = nn.CrossEntropyLoss()
model.train()

for epoch in range(4):
    for xb, yb in train_dl:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
    model.eval()
    hits = 0
    for xb, yb in val_dl:
        hits += (model(xb).argmax(-1) == yb).sum().item()
    print(f"[{epoch}] val acc {hits / len(val_ds):.3f}")
