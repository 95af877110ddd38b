import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(7)
BATCH = 16
ACCUM = 4

features = torch.randn(512, 12)
targets = (features[:, 0] + features[:, 3] > 0).long()
loader = DataLoader(TensorDataset(features, targets), batch_size=BATCH, shuffle=True)

net = nn.Sequential(nn.Linear(12, 32), nn.GELU(), nn.Linear(32, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
ce = nn.CrossEntropyLoss()

for epoch in range(3):
    net.train()
    hits = 0
    for i, (x, y) in enumerate(loader):
        logits = net(x)
        loss = ce(logits, y) / BATCH
        loss.backward()
        hits += (logits.argmax(1) == y).sum().item()
        if (i + 1) % ACCUM == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()
    print(f"epoch {epoch}: train acc {hits / len(loader.dataset):.3f}")
