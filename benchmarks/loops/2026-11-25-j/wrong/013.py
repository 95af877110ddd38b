# %%
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(13)

# %%
X = torch.randn(72, 6)
w = torch.randn(6)
y = (X @ w > 0).float()
dl = DataLoader(TensorDataset(X, y), batch_size=6, shuffle=True)

# %%
clf = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.SGD(clf.parameters(), lr=0.1)
crit = nn.BCEWithLogitsLoss()
virtual = 3

# %%
history = []
for ep in range(3):
    clf.train()
    for j, (xb, yb) in enumerate(dl, start=1):
        opt.zero_grad()
        loss = crit(clf(xb).squeeze(1), yb) / virtual
        loss.backward()
        if j % virtual == 0 or j == len(dl):
            opt.step()
    history.append(loss.item() * virtual)
print(history)
