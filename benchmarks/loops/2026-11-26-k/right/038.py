import torch
from torch import nn

torch.manual_seed(138)
flow_t = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
flow_s = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
params = [*flow_t.parameters(), *flow_s.parameters()]
optimizer = torch.optim.Adam(params, lr=5e-3)
optimizer.register_step_post_hook(lambda opt, args, kwargs: opt.zero_grad())


def log_prob(x):
    a, b = x[:, :1], x[:, 1:]
    scale = flow_s(a).clamp(-3, 3)
    z = torch.cat([a, (b - flow_t(a)) * (-scale).exp()], 1)
    return -0.5 * z.square().sum(1) - scale.squeeze(1)


for step in range(100):
    a = torch.randn(128, 1)
    x = torch.cat([a, a.square() + 0.1 * torch.randn(128, 1)], 1)
    nll = -log_prob(x).mean()
    nll.backward()
    optimizer.step()
    if step % 25 == 0:
        print(step, nll.item())
