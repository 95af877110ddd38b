import torch
from torch import nn

torch.manual_seed(5)
w = nn.Parameter(torch.randn(3, 1) * 0.1)
meta = torch.optim.Adam([w], lr=0.01)
TASKS = 4
for it in range(10):
    meta.zero_grad()
    for task in range(TASKS):
        k = torch.randn(3, 1)
        x, q = torch.randn(8, 3), torch.randn(8, 3)
        inner = (x @ w - x @ k).pow(2).mean()
        (g,) = torch.autograd.grad(inner, [w], create_graph=True)
        fast = w - 0.1 * g
        outer = (q @ fast - q @ k).pow(2).mean() / TASKS
        outer.backward()
    meta.step()
print(outer.item() * TASKS)
