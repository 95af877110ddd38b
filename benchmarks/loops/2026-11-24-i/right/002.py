import torch
from torch import nn


def run(model, batches, opt, n):
    opt.zero_grad()
    done = 0
    for x, y in batches:
        (nn.functional.mse_loss(model(x), y) / n).backward()
        done += 1
        if done % n == 0:
            opt.step()
            opt.zero_grad()
    if done % n:
        opt.step()
        opt.zero_grad()
    return done


torch.manual_seed(2)
m = nn.Linear(3, 1)
o = torch.optim.Adam(m.parameters())
for _ in range(2):
    print(run(m, [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(10)], o, 4))
