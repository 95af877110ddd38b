import torch
import torch.nn as nn

torch.manual_seed(0)
WINDOW = 3


def batches(n):
    g = torch.Generator().manual_seed(n)
    return [(torch.randn(4, 8, generator=g), torch.randn(4, 2, generator=g)) for _ in range(n)]


net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
scaler = torch.amp.GradScaler("cpu", init_scale=128.0)
train = batches(10)
for epoch in range(2):
    for n, (x, y) in enumerate(train, start=1):
        with torch.autocast("cpu", dtype=torch.float16):
            loss = nn.functional.mse_loss(net(x), y) / WINDOW
        scaler.scale(loss).backward()
        if (n + 1) % WINDOW == 0 or n == len(train):
            scaler.step(opt)
            scaler.update()
            opt.zero_grad(set_to_none=True)
    print(epoch, loss.item() * WINDOW)
