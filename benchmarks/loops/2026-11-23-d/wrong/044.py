import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Conv1d(1, 8, 5, padding=2), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(8, 2))
model.to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler(device)
loss_fn = nn.CrossEntropyLoss()


def beats(n):
    t = torch.linspace(0, 6.28, 64)
    y = torch.randint(0, 2, (n,))
    x = torch.sin(t * (1 + y[:, None])) + 0.2 * torch.randn(n, 64)
    return x[:, None].to(device), y.to(device)


for step in range(25):
    x, y = beats(16)
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast(device, dtype=torch.float16):
        loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    if step % 5 == 0:
        print(step, loss.item(), scaler.get_scale())
