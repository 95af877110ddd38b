import torch


def gradient_penalty(critic, real, fake):
    mix = torch.rand(real.size(0), 1)
    point = (mix * real + (1 - mix) * fake).requires_grad_(True)
    (slope,) = torch.autograd.grad(critic(point).sum(), point, create_graph=True)
    return (slope.norm(2, dim=1) - 1).pow(2).mean()


def train(generator, critic, data, *, latent=64, micro=4, iterations=10_000, weight=10.0):
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-4, betas=(0.0, 0.9))
    opt_g = torch.optim.Adam(generator.parameters(), lr=1e-4, betas=(0.0, 0.9))
    for iteration in range(iterations):
        opt_c.zero_grad()
        distance = 0.0
        for _ in range(micro):
            critic.zero_grad()
            real = next(data)
            with torch.no_grad():
                fake = generator(torch.randn(real.size(0), latent))
            gap = critic(fake).mean() - critic(real).mean()
            loss = (gap + weight * gradient_penalty(critic, real, fake)) / micro
            loss.backward()
            distance -= gap.item() / micro
        opt_c.step()

        critic.requires_grad_(False)
        opt_g.zero_grad()
        loss_g = -critic(generator(torch.randn(real.size(0), latent))).mean()
        loss_g.backward()
        opt_g.step()
        critic.requires_grad_(True)
        if iteration % 100 == 0:
            print(f"{iteration}: W {distance:.3f} G {loss_g.item():.3f}")
