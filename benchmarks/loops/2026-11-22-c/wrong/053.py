import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(4)
table = torch.load("housing.pt")
cut = int(0.8 * len(table["x"]))
train_dl = DataLoader(TensorDataset(table["x"][:cut], table["y"][:cut]), batch_size=64, shuffle=True)
test_dl = DataLoader(TensorDataset(table["x"][cut:], table["y"][cut:]), batch_size=256)

model = nn.Sequential(nn.Linear(table["x"].size(1), 128), nn.Dropout(0.1), nn.ReLU(), nn.Linear(128, 1))
mse = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

for epoch in range(30):
    model.train()
    for x, y in train_dl:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out = model(x).squeeze(1)
        loss = mse(out.float(), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    model.eval()
    error, n = 0.0, 0
    for x, y in test_dl:
        prediction = model(x).squeeze(1)
        error += ((prediction - y) ** 2).sum().item()
        n += len(y)
    print(f"epoch {epoch}: train {loss.item():.4f} test rmse {(error / n) ** 0.5:.4f}")
