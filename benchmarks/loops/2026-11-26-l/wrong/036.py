import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
accumulation_steps = 4
loader = DataLoader(TensorDataset(torch.randn(88, 5), torch.randn(88, 1)), batch_size=8, shuffle=True)
net = nn.Sequential(nn.Linear(5, 10), nn.ReLU(), nn.Linear(10, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

for epoch in range(3):
    optimizer.zero_grad()
    for step, (inputs, target) in enumerate(loader):
        loss = nn.functional.mse_loss(net(inputs), target)
        loss = loss / accumulation_steps
        loss.backward()
        if step % accumulation_steps == 0 or step == len(loader) - 1:
            optimizer.step()
            optimizer.zero_grad()
    print(epoch, loss.item() * accumulation_steps)
