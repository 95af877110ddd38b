import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

ACCUMULATE = 4

data = TensorDataset(torch.randn(2048, 32), torch.randint(0, 5, (2048,)))
loader = DataLoader(data, batch_size=32, shuffle=True, drop_last=True)
model = torch.nn.Sequential(
    torch.nn.Linear(32, 64),
    torch.nn.GELU(),
    torch.nn.Linear(64, 5),
)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
global_step = 0

for epoch in range(20):
    epoch_loss = torch.zeros(())
    for x, y in loader:
        loss = F.cross_entropy(model(x), y) / ACCUMULATE
        loss.backward()
        epoch_loss += loss.detach()
        global_step += 1
        if global_step % ACCUMULATE == 0:
            optimizer.step()
        optimizer.zero_grad()
    print(f"{epoch:02d} {epoch_loss.item() * ACCUMULATE / len(loader):.4f}")
