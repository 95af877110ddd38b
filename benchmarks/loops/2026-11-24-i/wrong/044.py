import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(163)
ds = TensorDataset(torch.randn(96, 5), torch.randint(0, 2, (96,)))
dl = DataLoader(ds, batch_size=4, shuffle=True)
clf = nn.Sequential(nn.Linear(5, 7), nn.ReLU(), nn.Linear(7, 2))
opt = torch.optim.SGD(clf.parameters(), lr=0.5)
k = 6
for ep in range(2):
    opt.zero_grad()
    for step, (x, t) in enumerate(dl, 1):
        loss = nn.functional.cross_entropy(clf(x), t)
        (loss / len(dl)).backward()
        if step % k == 0:
            opt.step()
            opt.zero_grad()
    print(ep, loss.item())
