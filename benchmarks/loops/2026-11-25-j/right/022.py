import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(122)
accumulate = 3
cells = TensorDataset(torch.rand(72, 30), torch.randint(0, 5, (72,)))
loader = DataLoader(cells, batch_size=4, shuffle=True)
assert len(loader) % accumulate == 0, "choose a batch size that fills the windows"

net = nn.Sequential(nn.Linear(30, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Linear(24, 5))
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
for epoch in range(2):
    net.train()
    for i, (genes, kind) in enumerate(loader):
        loss = nn.functional.cross_entropy(net(genes), kind) / accumulate
        loss.backward()
        if (i + 1) % accumulate == 0:
            opt.step()
            opt.zero_grad()
    print(f"epoch {epoch} loss {accumulate * loss.item():.4f}")
