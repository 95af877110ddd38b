import torch
from torch import nn

torch.manual_seed(150)
N_MICRO = 4
model = nn.Sequential(nn.Linear(5, 20), nn.CELU(), nn.Linear(20, 5))
for weight in model.parameters():
    weight.register_hook(lambda grad: grad / N_MICRO)
opt = torch.optim.Adam(model.parameters(), lr=2e-3, weight_decay=1e-3)

for update in range(5):
    opt.zero_grad()
    total = 0.0
    for _ in range(N_MICRO):
        state = torch.randn(16, 5)
        next_state = torch.roll(state, 1, dims=1) * 0.9
        loss = (model(state) - next_state).pow(2).mean()
        loss.backward()
        total += loss.item()
    opt.step()
    print(update, total / N_MICRO)
