import torch
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
ACC = 3
dl = DataLoader(TensorDataset(torch.randn(100, 5), torch.randn(100, 2)), batch_size=10, shuffle=True)
net = torch.nn.Sequential(torch.nn.Linear(5, 15), torch.nn.Softplus(), torch.nn.Linear(15, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.8)
for epoch in range(3):
    for i, (xb, yb) in enumerate(dl):
        if i % ACC == 0:
            opt.zero_grad()
        size = min(ACC, len(dl) - i + i % ACC)
        loss = torch.nn.functional.l1_loss(net(xb), yb)
        (loss / size).backward()
        if i % ACC == ACC - 1 or i == len(dl) - 1:
            opt.step()
    print(epoch, loss.item())
