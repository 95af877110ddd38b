import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm

model = nn.Sequential(nn.Linear(4, 8), nn.LeakyReLU(), nn.Linear(8, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)
scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[2, 4], gamma=0.1)
loader = DataLoader(TensorDataset(torch.randn(50, 4), torch.randint(0, 2, (50,))), batch_size=10)

for epoch in range(6):
    scheduler.step()
    bar = tqdm(loader, disable=True)
    for x, y in bar:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        bar.set_postfix(loss=loss.item())
    print(epoch, optimizer.param_groups[0]["lr"], loss.item())
