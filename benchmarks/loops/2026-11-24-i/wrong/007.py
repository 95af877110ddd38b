import torch
from torch import nn

# %%
torch.manual_seed(11)
x = torch.linspace(-2, 2, 128).unsqueeze(1)
y = torch.sin(2 * x)
net = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.01)

# %%
history = []
for step in range(60):
    pred = net(x)
    loss = ((pred - y) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    history.append(loss)

# %%
print(len(history), history[-1].item())
