import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = "cuda" if torch.cuda.is_available() else "cpu"
data = TensorDataset(torch.randn(90, 6), torch.randint(0, 2, (90,)))
loader = DataLoader(data, batch_size=10)
model = nn.Sequential(nn.Linear(6, 20), nn.ReLU(), nn.Linear(20, 2)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
scaler = torch.amp.GradScaler(device, init_scale=512.0)
WINDOW = 4

for epoch in range(2):
    for i, (x, y) in enumerate(loader, start=1):
        with torch.autocast(device, dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device)) / WINDOW
        scaler.scale(loss).backward()
        if i % WINDOW == 0 or i == len(loader):
            scaler.unscale_(optimizer)
            norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
    print(epoch, loss.item() * WINDOW, norm.item())
