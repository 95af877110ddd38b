import torch
from torch import nn


class Critic(nn.Sequential):
    def __init__(self, d):
        super().__init__(nn.Linear(d, 24), nn.Softplus(), nn.Linear(24, 1))


class Gen(nn.Sequential):
    def __init__(self, z, d):
        super().__init__(nn.Linear(z, 24), nn.Softplus(), nn.Linear(24, d))


def gradient_penalty(critic, real, fake):
    a = torch.rand(len(real), 1)
    mid = (a * real + (1 - a) * fake).requires_grad_(True)
    (g,) = torch.autograd.grad(critic(mid).sum(), mid, create_graph=True)
    return (g.norm(dim=1) - 1).pow(2).mean()


def train(n_critic=3, gen_updates=8, z=5, d=2, lam=10.0):
    critic, gen = Critic(d), Gen(z, d)
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))
    opt_g = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
    scaler = torch.amp.GradScaler("cpu", init_scale=512.0)

    for update in range(gen_updates):
        for _ in range(n_critic):
            real = torch.randn(32, d) + 2
            opt_c.zero_grad()
            with torch.autocast("cpu", dtype=torch.float16):
                fake = gen(torch.randn(32, z)).detach()
                w = critic(fake).float().mean() - critic(real).float().mean()
            scaler.scale(w).backward()
            gp = lam * gradient_penalty(critic, real, fake.float())
            gp.backward()
            scaler.step(opt_c)
            scaler.update()

        opt_g.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            g_loss = -critic(gen(torch.randn(32, z))).float().mean()
        scaler.scale(g_loss).backward()
        nn.utils.clip_grad_norm_(gen.parameters(), 1.0)
        scaler.step(opt_g)
        scaler.update()
        print(update, f"w={-w.item():.3f} gp={gp.item():.3f}")


torch.manual_seed(0)
train()
