import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

CLIP, STEPS = 1.0, 3
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
scaler = torch.amp.GradScaler("cpu", init_scale=4096.0)
loader = DataLoader(TensorDataset(torch.randn(72, 8), torch.randint(0, 2, (72,))), batch_size=8)

for epoch in range(2):
    it = iter(loader)
    for window in range(len(loader) // STEPS):
        for _ in range(STEPS):
            x, y = next(it)
            with torch.autocast("cpu", dtype=torch.float16):
                loss = nn.functional.cross_entropy(net(x), y)
            scaler.scale(loss / STEPS).backward()
        norm = nn.utils.clip_grad_norm_(net.parameters(), CLIP)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
    print(epoch, loss.item(), norm.item())
