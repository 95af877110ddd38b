import torch
from torch import nn

torch.manual_seed(137)
model = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 2))
optimizers = {p: torch.optim.Adam([p], lr=1e-3, foreach=False) for p in model.parameters()}


def step_now(parameter):
    optimizers[parameter].step()
    optimizers[parameter].zero_grad()


for p in model.parameters():
    p.register_post_accumulate_grad_hook(step_now)

for it in range(16):
    x = torch.randn(32, 8)
    y = (x[:, 0] * x[:, 1] > 0).long()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    if it % 5 == 0:
        print(it, loss.item(), all(p.grad is None for p in model.parameters()))
