import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(28)
device = torch.device("cpu")
X = torch.randn(260, 18)
Y = torch.tanh(X[:, :3]).sum(1, keepdim=True)
train_dl = DataLoader(TensorDataset(X, Y), batch_size=20, shuffle=True)

model = nn.Sequential(nn.Linear(18, 40), nn.ELU(), nn.Linear(40, 1)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
criterion = nn.MSELoss()
accumulation_steps = 4

for epoch in range(3):
    epoch_loss = 0
    optimizer.zero_grad()
    for batch_idx, (data, target) in enumerate(train_dl):
        data, target = data.to(device), target.to(device)
        loss = criterion(model(data), target)
        epoch_loss += loss.item()
        (loss / accumulation_steps).backward()
        if batch_idx % accumulation_steps == 0 or batch_idx == len(train_dl) - 1:
            optimizer.step()
            optimizer.zero_grad()
    print(f"Epoch {epoch + 1}: {epoch_loss / len(train_dl):.4f}")
