import torch
from torch.optim.lr_scheduler import ReduceLROnPlateau

from data import build_loader
from models import Net

train_loader = build_loader("train", shuffle=True)
val_loader = build_loader("val", shuffle=False)
model = Net(in_channels=1)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
scheduler = ReduceLROnPlateau(optimizer, factor=0.5, patience=3)
mse = torch.nn.MSELoss()

for epoch in range(4):
    model.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = mse(model(x), y)
        loss.backward()
        optimizer.step()

    model.eval()
    val = 0.0
    for x, y in val_loader:
        val += mse(model(x), y).item()
    val /= len(val_loader)
    scheduler.step(val)
    print(f"epoch {epoch}  train {loss.item():.4f}  val {val:.4f}")
