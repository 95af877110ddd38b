import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(103)
X, y = torch.randn(70, 6), torch.randn(70, 1)
loader = DataLoader(TensorDataset(X, y), batch_size=10)
ridge = nn.Linear(6, 1)
gd = torch.optim.SGD(ridge.parameters(), lr=0.2, weight_decay=1e-2)

for epoch in range(8):
    gd.zero_grad()
    risk = 0.0
    for xb, yb in loader:
        loss = nn.functional.mse_loss(ridge(xb), yb) / len(loader)
        loss.backward()
        risk += loss.item()
    gd.step()
    if epoch % 2 == 1:
        print(f"pass {epoch + 1}: empirical risk {risk:.4f}")
