import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import LinearLR


def generator_phase(G, D, opt, sched, z):
    D.requires_grad_(False)
    opt.zero_grad(set_to_none=True)
    loss = F.softplus(-D(G(z))).mean()
    loss.backward()
    opt.step()
    sched.step()
    D.requires_grad_(True)
    return loss.item()


def critic_phase(G, D, opt, sched, real, z, r1=5.0):
    opt.zero_grad(set_to_none=True)
    with torch.no_grad():
        fake = G(z)
    real = real.detach().requires_grad_(True)
    score = D(real)
    (slope,) = torch.autograd.grad(score.sum(), real, create_graph=True)
    penalty = slope.pow(2).flatten(1).sum(1).mean()
    loss = F.softplus(D(fake)).mean() + F.softplus(-score).mean() + r1 * penalty
    loss.backward()
    opt.step()
    sched.step()
    return loss.item()


def train(G, D, images, *, steps=200_000, z_dim=512):
    opt_d = torch.optim.Adam(D.parameters(), lr=2e-3, betas=(0.0, 0.99))
    opt_g = torch.optim.Adam(G.parameters(), lr=2e-3, betas=(0.0, 0.99))
    sched_d = LinearLR(opt_d, 1.0, 0.1, total_iters=steps)
    sched_g = LinearLR(opt_g, 1.0, 0.1, total_iters=steps)
    for step in range(steps):
        real = next(images)
        d = critic_phase(G, D, opt_d, sched_d, real, torch.randn(len(real), z_dim))
        g = generator_phase(G, D, opt_g, sched_g, torch.randn(len(real), z_dim))
        if step % 250 == 0:
            print(f"{step}: D {d:.3f} G {g:.3f} lr {sched_g.get_last_lr()[0]:.2e}")
