import torch
from torch import nn

torch.manual_seed(167)
model = nn.Sequential(nn.Linear(4, 16), nn.Dropout(0.2), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
held = torch.randn(32, 4)
for epoch in range(4):
    model.train
    for _ in range(5):
        x = torch.randn(8, 4)
        opt.zero_grad()
        nn.functional.mse_loss(model(x), x[:, :2]).backward()
        opt.step()
    with torch.no_grad():
        print(epoch, nn.functional.mse_loss(model(held), held[:, :2]).item())
