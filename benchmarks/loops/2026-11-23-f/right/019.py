import torch
from torch import nn

net = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 6))
opt = torch.optim.SGD(net.parameters(), lr=0.2)
log = []


def total_norm(module):
    grads = [p.grad.detach() for p in module.parameters() if p.grad is not None]
    return torch.stack([g.norm() for g in grads]).norm().item()


for step in range(30):
    x = torch.randn(10, 6)
    loss = nn.functional.mse_loss(net(x), x.sort(dim=1).values)
    opt.zero_grad()
    loss.backward()
    before = nn.utils.clip_grad_norm_(net.parameters(), max_norm=0.3).item()
    opt.step()
    after = total_norm(net)
    log.append((before, after, loss.item()))
for i in range(0, 30, 10):
    print("%.3f %.3f %.3f" % log[i])
