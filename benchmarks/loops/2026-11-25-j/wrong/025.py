import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(25)
full = TensorDataset(torch.randn(120, 10), torch.randint(0, 2, (120,)))
train_set, val_set = random_split(full, [96, 24])
train_loader = DataLoader(train_set, batch_size=16, shuffle=True)
val_loader = DataLoader(val_set, batch_size=24)

model = nn.Sequential(nn.Linear(10, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.3), nn.Linear(32, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()

model.train()
for epoch in range(4):
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()

    model.eval()
    hits = 0
    with torch.no_grad():
        for x, y in val_loader:
            hits += (model(x).argmax(1) == y).sum().item()
    print(f"epoch {epoch} val acc {hits / len(val_set):.2f}")
