import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR
from torch.utils.data import DataLoader, TensorDataset

EPOCHS, ACC = 3, 4
loader = DataLoader(TensorDataset(torch.randn(96, 3), torch.randn(96, 1)), batch_size=8, shuffle=True)
assert len(loader) % ACC == 0
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
scheduler = OneCycleLR(optimizer, max_lr=0.1, total_steps=EPOCHS * len(loader) // ACC)

for epoch in range(EPOCHS):
    for step, (x, y) in enumerate(loader):
        first = step % ACC == 0
        last = step % ACC == ACC - 1
        if first:
            optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        (loss / ACC).backward()
        if last:
            optimizer.step()
            scheduler.step()
    print(epoch, scheduler.get_last_lr()[0])
