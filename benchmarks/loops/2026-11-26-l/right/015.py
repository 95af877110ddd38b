import torch
from torch import nn


def average_(params, n):
    grads = [p.grad for p in params if p.grad is not None]
    torch._foreach_div_(grads, float(n))


torch.manual_seed(13)
model = nn.Sequential(nn.Linear(9, 18), nn.ReLU(), nn.Linear(18, 1))
params = list(model.parameters())
optimizer = torch.optim.SGD(params, lr=0.05)
batches = [(torch.randn(6, 9), torch.randn(6, 1)) for _ in range(14)]
N = 4
for epoch in range(3):
    held = 0
    for k, (x, y) in enumerate(batches):
        nn.functional.mse_loss(model(x), y).backward()
        held += 1
        if held == N or k == len(batches) - 1:
            average_(params, held)
            nn.utils.clip_grad_norm_(params, 1.0)
            optimizer.step()
            optimizer.zero_grad()
            held = 0
    print(epoch, model[0].weight.norm().item())
