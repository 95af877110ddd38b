import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ROWS, BATCH, GROUP = 220, 20, 4
x = torch.randn(ROWS, 7)
y = (x @ torch.randn(7, 1)).tanh()
loader = DataLoader(TensorDataset(x, y), batch_size=BATCH, shuffle=True)
model = nn.Sequential(nn.Linear(7, 28), nn.ReLU(), nn.Linear(28, 1))
opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
loss_fn = nn.MSELoss()


def one_epoch():
    epoch_loss = 0.0
    for k, (xb, yb) in enumerate(loader):
        loss = loss_fn(model(xb), yb)
        (loss / len(loader)).backward()
        epoch_loss += loss.item()
        if k % GROUP == GROUP - 1:
            opt.step()
            opt.zero_grad()
    return epoch_loss / len(loader)


for epoch in range(4):
    print(f"epoch {epoch}: {one_epoch():.4f}")
