import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.randn(256, 20)
y = x @ torch.randn(20, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)

net = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
adam = torch.optim.Adam(net.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler(device.type)

for epoch in range(3):
    for xb, yb in loader:
        xb, yb = xb.to(device), yb.to(device)
        adam.zero_grad()
        with torch.autocast(device.type, dtype=torch.float16):
            loss = nn.functional.mse_loss(net(xb), yb)
        scaler.scale(loss).backward()
        adam.step()
    print(f"epoch {epoch} loss {loss.item():.4f}")
