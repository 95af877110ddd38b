import torch
from torch import nn

model = nn.Sequential(nn.Linear(7, 14), nn.ReLU(), nn.Linear(14, 1))
noise = nn.Parameter(torch.zeros(7))
opt_model = torch.optim.SGD(model.parameters(), lr=0.05)
opt_noise = torch.optim.SGD([noise], lr=0.5, maximize=True)
REPLAYS = 4

for step in range(15):
    x = torch.randn(20, 7)
    y = x[:, :1].sin()
    opt_model.zero_grad()
    for replay in range(REPLAYS):  # adversary moves in every replay, the model once
        opt_noise.zero_grad()
        loss = (model(x + noise) - y).square().mean() / REPLAYS
        loss.backward()
        opt_noise.step()
        with torch.no_grad():
            noise.clamp_(-0.1, 0.1)
    opt_model.step()
    if step % 5 == 0:
        print(step, loss.item() * REPLAYS)
