import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = "cuda" if torch.cuda.is_available() else "cpu"


def endless(loader):
    while True:
        yield from loader


x = torch.linspace(-3, 3, 240).unsqueeze(1)
y = torch.sin(2 * x) + 0.1 * torch.randn_like(x)
batches = endless(DataLoader(TensorDataset(x, y), batch_size=24, shuffle=True))

model = nn.Sequential(nn.Linear(1, 48), nn.SiLU(), nn.Linear(48, 48), nn.SiLU(), nn.Linear(48, 1)).to(device)
optim = torch.optim.Adam(model.parameters(), lr=1e-3)
grad_accum, max_iters = 2, 60
it = 0
while it < max_iters:
    xb, yb = next(batches)
    xb, yb = xb.to(device), yb.to(device)
    optim.zero_grad()
    loss = nn.functional.huber_loss(model(xb), yb)
    (loss / grad_accum).backward()
    it += 1
    if it % grad_accum == 0:
        optim.step()
    if it % 20 == 0:
        print(f"iter {it:4d} | loss {loss.item():.4f}")
