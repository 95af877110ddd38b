# %% [markdown]
# # Spiral classification
# %%
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(7)

# %%
N = 192
t = torch.rand(N) * 6.0
cls = torch.randint(0, 2, (N,))
r = t / 6.0
X = torch.stack([r * torch.cos(t + 3.14 * cls), r * torch.sin(t + 3.14 * cls)], 1)
X += 0.02 * torch.randn_like(X)
train_dl = DataLoader(TensorDataset(X, cls), batch_size=12, shuffle=True)

# %%
mlp = nn.Sequential(
    nn.Linear(2, 32), nn.Tanh(),
    nn.Linear(32, 32), nn.Tanh(),
    nn.Linear(32, 2),
)
opt = torch.optim.Adam(mlp.parameters(), lr=3e-3)
ce = nn.CrossEntropyLoss()
ACC = 4

# %%
for epoch in range(4):
    hits = 0
    mlp.train()
    for i, (xb, yb) in enumerate(train_dl):
        out = mlp(xb)
        loss = ce(out, yb) / ACC
        loss.backward()
        hits += (out.argmax(1) == yb).sum().item()
        if i % ACC == 0 or i == len(train_dl) - 1:
            opt.step()
            nn.utils.clip_grad_norm_(mlp.parameters(), max_norm=1.0)
            opt.zero_grad()
    print("epoch", epoch, "train acc", hits / N)

# %%
mlp.eval()
with torch.no_grad():
    print("final", (mlp(X).argmax(1) == cls).float().mean().item())
