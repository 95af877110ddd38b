import torch
from torch import autograd, nn

torch.manual_seed(7)
one, mone = torch.tensor(1.0), torch.tensor(-1.0)
LAMBDA, CRITIC_ITERS, ITERS, BATCH = 0.1, 3, 8, 16


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 32), nn.ReLU(), nn.Linear(32, o))


def inf_train_gen():
    while True:
        ring = torch.rand(BATCH) * 6.283
        yield torch.stack([ring.cos(), ring.sin()], 1) * 2 + 0.02 * torch.randn(BATCH, 2)


def calc_gradient_penalty(netD, real, fake):
    alpha = torch.rand(BATCH, 1).expand_as(real)
    x = (alpha * real + (1 - alpha) * fake).requires_grad_()
    d = netD(x)
    g = autograd.grad(d, x, grad_outputs=torch.ones_like(d), create_graph=True, retain_graph=True)[0]
    return ((g.norm(2, dim=1) - 1) ** 2).mean() * LAMBDA


netG, netD = mlp(2, 2), mlp(2, 1)
optimizerD = torch.optim.Adam(netD.parameters(), lr=1e-4, betas=(0.5, 0.9))
optimizerG = torch.optim.Adam(netG.parameters(), lr=1e-4, betas=(0.5, 0.9))
data = inf_train_gen()

for iteration in range(ITERS):
    for p in netD.parameters():
        p.requires_grad = True
    for _ in range(CRITIC_ITERS):
        real = next(data)
        netD.zero_grad()

        D_real = netD(real).mean()
        D_real.backward(mone)

        fake = netG(torch.randn(BATCH, 2)).detach()
        D_fake = netD(fake).mean()
        D_fake.backward(one)

        penalty = calc_gradient_penalty(netD, real, fake)
        penalty.backward()
        optimizerD.step()

    for p in netD.parameters():
        p.requires_grad = False
    netG.zero_grad()
    G = netD(netG(torch.randn(BATCH, 2))).mean()
    G.backward(mone)
    optimizerG.step()
    print(iteration, (D_fake - D_real + penalty).item(), -G.item())
