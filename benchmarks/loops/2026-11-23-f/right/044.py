import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

LOG_EVERY = 4
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(96, 4), torch.randn(96, 1)), batch_size=8, shuffle=True)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.AdamW(net.parameters(), lr=1e-2)

window_loss = 0.0
for epoch in range(2):
    for step, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        window_loss += loss.item() / LOG_EVERY
        if (step + 1) % LOG_EVERY == 0:
            print(epoch, step + 1, round(window_loss, 4))
            window_loss = 0.0
