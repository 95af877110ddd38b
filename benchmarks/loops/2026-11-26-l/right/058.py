import torch
from torch import nn

torch.manual_seed(0)
ACC = 5
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
params = list(net.parameters())
opt = torch.optim.Adadelta(params, lr=0.5)
stream = [(torch.randn(6, 8), torch.randint(0, 4, (6,))) for _ in range(20)]


def gradient_noise(x, y):
    a = torch.autograd.grad(nn.functional.cross_entropy(net(x[:3]), y[:3]), params)
    b = torch.autograd.grad(nn.functional.cross_entropy(net(x[3:]), y[3:]), params)
    return sum((i - j).pow(2).sum() for i, j in zip(a, b)).sqrt().item()


for epoch in range(2):
    for step, (x, y) in enumerate(stream, 1):
        (nn.functional.cross_entropy(net(x), y) / ACC).backward()
        so_far = nn.utils.get_total_norm([p.grad for p in params]).item()
        if step % 7 == 0:
            print(step, so_far, gradient_noise(x, y))
        if step % ACC == 0:
            nn.utils.clip_grad_norm_(params, 1.0)
            opt.step()
            opt.zero_grad()
