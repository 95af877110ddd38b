import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def groups(iterable, size):
    group = []
    for item in iterable:
        group.append(item)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group


x = torch.randn(110, 6)
loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).float()), batch_size=10, shuffle=True)
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1), nn.Flatten(0))
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
bce = nn.BCEWithLogitsLoss()
for epoch in range(3):
    for group in groups(loader, 4):
        opt.zero_grad()
        for a, b in group:
            loss = bce(model(a), b)
            (loss / len(group)).backward()
        opt.step()
    print(epoch, loss.item())
