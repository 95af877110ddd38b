import torch
import torch.nn as nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(16, 48), nn.ReLU(), nn.Linear(48, 4))
optimizers = {p: torch.optim.SGD([p], lr=0.05) for p in model.parameters()}


def step_now(p):
    optimizers[p].step()
    optimizers[p].zero_grad()


for p in model.parameters():
    p.register_post_accumulate_grad_hook(step_now)

x_all, y_all = torch.randn(96, 16), torch.randint(0, 4, (96,))
for epoch in range(4):
    total = 0.0
    for xb, yb in zip(x_all.split(24), y_all.split(24)):
        loss = nn.functional.cross_entropy(model(xb), yb)
        loss.backward()
        total += loss.item()
    print(epoch, total / 4)
