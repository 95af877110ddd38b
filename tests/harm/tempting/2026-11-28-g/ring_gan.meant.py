import math

import torch
from torch import nn


def ring(n, modes=6):
    angle = torch.randint(0, modes, (n,)) * (2 * math.pi / modes)
    return torch.stack([angle.cos(), angle.sin()], 1) + 0.05 * torch.randn(n, 2)


def mlp(i, o, act):
    return nn.Sequential(nn.Linear(i, 16), act, nn.Linear(16, o))


def hinge_d(real, fake):
    return torch.relu(1 - real).mean() + torch.relu(1 + fake).mean()


def train(record):
    torch.manual_seed(9)
    gen, disc = mlp(3, 2, nn.ReLU()), mlp(2, 1, nn.LeakyReLU(0.2))
    opt_g = torch.optim.SGD(gen.parameters(), lr=0.05)
    opt_d = torch.optim.SGD(disc.parameters(), lr=0.05)
    both = [*gen.parameters(), *disc.parameters()]
    for epoch in range(2):
        for _ in range(6):
            real, z = ring(20), torch.randn(20, 3)
            fake = gen(z)

            opt_d.zero_grad()
            d_loss = hinge_d(disc(real), disc(fake.detach()))
            d_loss.backward()
            opt_d.step()
            record(both)

            g_loss = -disc(fake).mean()
            g_loss.backward()
            opt_g.step()
            record(both)
            opt_g.zero_grad()
        print(epoch, d_loss.item(), g_loss.item())


if __name__ == "__main__":
    train(lambda parameters: None)
