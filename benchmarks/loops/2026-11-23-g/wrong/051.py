import torch
import torch.nn as nn
import torch.nn.functional as F


def block(i, o):
    return nn.Sequential(nn.Linear(i, 16), nn.LeakyReLU(0.1), nn.Linear(16, o))


def domain_a(n):
    return torch.randn(n, 2) * 0.3 + torch.tensor([1.0, 0.0])


def domain_b(n):
    return torch.randn(n, 2) * 0.3 + torch.tensor([0.0, 2.0])


def train_translators(G, Fb, opt, critic, a, b):
    opt.zero_grad()
    fake_b = G(a)
    cyc = F.l1_loss(Fb(fake_b), a) + F.l1_loss(G(Fb(b)), b)
    adv = (critic(fake_b) - 1).square().mean()
    loss = adv + 10 * cyc
    nn.utils.clip_grad_norm_([*G.parameters(), *Fb.parameters()], 1.0)
    loss.backward()
    opt.step()
    return loss.item(), fake_b.detach()


def train_critic(critic, opt, real, fake):
    loss = (critic(real) - 1).square().mean() + critic(fake).square().mean()
    (0.5 * loss).backward()
    opt.step()
    return loss.item()


def main(iters=20, bs=16):
    torch.manual_seed(4)
    G, Fb, critic = block(2, 2), block(2, 2), block(2, 1)
    opt_t = torch.optim.Adam([*G.parameters(), *Fb.parameters()], lr=1e-3)
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
    for i in range(iters):
        a, b = domain_a(bs), domain_b(bs)
        t_loss, fake = train_translators(G, Fb, opt_t, critic, a, b)
        c_loss = train_critic(critic, opt_c, b, fake)
        if (i + 1) % 5 == 0:
            print(f"{i + 1:3d} translators {t_loss:.3f} critic {c_loss:.3f}")


if __name__ == "__main__":
    main()
