import torch
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR, LinearLR


def penalty(critic, real, fake):
    mix = torch.rand(len(real), 1)
    x = (mix * real + (1 - mix) * fake).requires_grad_(True)
    (grad,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return (grad.norm(dim=1) - 1).square().mean()


torch.manual_seed(142)
gen = nn.Sequential(nn.Linear(3, 20), nn.ReLU(), nn.Linear(20, 2))
critic = nn.Sequential(nn.Linear(2, 20), nn.Tanh(), nn.Linear(20, 1))
g_opt, c_opt = torch.optim.Adam(gen.parameters(), 1e-3), torch.optim.Adam(critic.parameters(), 2e-3)
ROUNDS, INNER = 20, 4
c_sched = LinearLR(c_opt, 1.0, 0.1, total_iters=ROUNDS * INNER)
g_sched = ExponentialLR(g_opt, 0.98)

for r in range(ROUNDS):
    for _ in range(INNER):
        real = torch.randn(32, 2) * torch.tensor([1.0, 0.2])
        with torch.no_grad():
            fake = gen(torch.randn(32, 3))
        c_loss = critic(fake).mean() - critic(real).mean() + 5 * penalty(critic, real, fake)
        c_opt.zero_grad()
        c_loss.backward()
        c_opt.step()
        c_sched.step()
    g_opt.zero_grad()
    (-critic(gen(torch.randn(32, 3)))).mean().backward()
    g_opt.step()
    g_sched.step()
print(c_sched.get_last_lr(), g_sched.get_last_lr(), c_loss.item())
