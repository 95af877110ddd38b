import torch
from torch import nn

torch.manual_seed(147)
LOSS_SCALE = 128.0
net = nn.Sequential(nn.Linear(7, 14), nn.ReLU(), nn.Linear(14, 3))
half = nn.Sequential(nn.Linear(7, 14), nn.ReLU(), nn.Linear(14, 3)).to(torch.bfloat16)
sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)


@torch.no_grad()
def master_to_half():
    for h, m in zip(half.parameters(), net.parameters()):
        h.copy_(m)


def half_to_master_grads():
    for h, m in zip(half.parameters(), net.parameters()):
        m.grad = h.grad.float() / LOSS_SCALE
        h.grad = None


for step in range(10):
    master_to_half()
    x, y = torch.randn(16, 7), torch.randint(0, 3, (16,))
    loss = nn.functional.cross_entropy(half(x.bfloat16()).float(), y)
    (loss * LOSS_SCALE).backward()
    half_to_master_grads()
    norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    sgd.step()
    print(f"{step} loss {loss.item():.3f} norm {norm.item():.3f}")
