from itertools import islice

import torch

from wgan import Critic, Generator, sampler

CLAMP = 0.01
N_CRITIC = 5


def clip_weights(module, limit):
    for p in module.parameters():
        p.data.clamp_(-limit, limit)


def train(data, iterations=50_000, z_dim=100):
    critic, generator = Critic(), Generator(z_dim)
    opt_c = torch.optim.RMSprop(critic.parameters(), lr=5e-5)
    opt_g = torch.optim.RMSprop(generator.parameters(), lr=5e-5)
    real_batches = sampler(data)

    for it in range(iterations):
        for real in islice(real_batches, N_CRITIC):
            with torch.no_grad():
                fake = generator(torch.randn(len(real), z_dim))
            opt_c.zero_grad()
            distance = critic(fake).mean() - critic(real).mean()
            distance.backward()
            opt_c.step()
            clip_weights(critic, CLAMP)

        opt_g.zero_grad()
        loss = -critic(generator(torch.randn(len(real), z_dim))).mean()
        loss.backward()
        opt_g.step()
        if it % 100 == 0:
            print(f"{it} W {-distance.item():.4f} G {loss.item():.4f}")
    return generator
