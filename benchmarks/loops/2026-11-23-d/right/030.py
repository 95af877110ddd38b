import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

x = torch.rand(200, 6)
y = x.max(1, keepdim=True).values
train = DataLoader(TensorDataset(x[:160], y[:160]), batch_size=16, shuffle=True)
test = DataLoader(TensorDataset(x[160:], y[160:]), batch_size=20)
model = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 1))
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
mse = nn.MSELoss()
for epoch in range(3):
    running = 0.0
    model.train()
    for i, (a, b) in enumerate(train):
        opt.zero_grad()
        loss = mse(model(a), b)
        loss.backward()
        opt.step()
        running += (loss.item() - running) / (i + 1)
    model.eval()
    with torch.no_grad():
        total = 0
        for a, b in test:
            total += mse(model(a), b)
    print(f"{epoch}: train {running:.4f} test {total.item() / len(test):.4f}")
