import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(5)
loader = DataLoader(TensorDataset(torch.randn(70, 5), torch.randn(70, 1)), batch_size=8, drop_last=True)
model = nn.Sequential(nn.Linear(5, 10), nn.ELU(), nn.Linear(10, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
WINDOW = 3


def apply_update(count):
    for p in model.parameters():
        if p.grad is not None:
            p.grad.div_(count)
    nn.utils.clip_grad_norm_(model.parameters(), 2.0)
    optimizer.step()
    optimizer.zero_grad()


for epoch in range(3):
    count = 0
    for x, y in loader:
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        count += 1
        if count == WINDOW:
            apply_update(count)
            count = 0
    if count > 0:
        apply_update(count)
    print(epoch, loss.item())
