import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
xs = torch.randn(80, 7)
ys = xs.argmax(1)
loader = DataLoader(TensorDataset(xs, ys), batch_size=16, shuffle=True)
model = nn.Sequential(nn.Linear(7, 21), nn.ReLU(), nn.Linear(21, 7))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)

optimizer.zero_grad()
for epoch in range(4):
    model.train()
    total = 0.0
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    scheduler.step()

    model.eval()
    with torch.no_grad():
        acc = (model(xs).argmax(1) == ys).float().mean().item()
    print(epoch, total / len(loader), acc)
