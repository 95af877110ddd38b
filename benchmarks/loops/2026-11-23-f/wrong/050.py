import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(27)
net = nn.Sequential(nn.Linear(5, 25), nn.ReLU(), nn.Linear(25, 1))
enc_opt = torch.optim.SGD(net[0].parameters(), lr=0.01)
head_opt = torch.optim.SGD(net[2].parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cpu", init_scale=128.0)
x = torch.randn(60, 5)
loader = DataLoader(TensorDataset(x, x.mean(1, keepdim=True)), batch_size=12)

for epoch in range(3):
    for xb, yb in loader:
        enc_opt.zero_grad()
        head_opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            pred = net(xb)
            loss = nn.functional.mse_loss(pred.float(), yb)
        scaler.scale(loss).backward()
        scaler.step(enc_opt)
        head_opt.step()
        scaler.update()
    print(epoch, loss.item())
