import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, width), nn.Softplus(), nn.Linear(width, 1))

    def forward(self, x):
        return self.layers(x).float()


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 4))

    def forward(self, z):
        return self.layers(z).float()


def critic_loss(critic, real, fake, mix):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        between = (mix * real + (1 - mix) * fake).requires_grad_(True)
        score = critic(between)
        (slope,) = torch.autograd.grad(score.sum(), between, create_graph=True)
        penalty = (slope.norm(dim=1) - 1).square().mean()
        gap = critic(fake).mean() - critic(real).mean()
        return gap + 10.0 * penalty


def train(record):
    torch.manual_seed(66)
    critic, generator = Critic(), Generator()
    opt_c = torch.optim.Adam(critic.parameters(), lr=2e-3, betas=(0.0, 0.9))
    opt_g = torch.optim.Adam(generator.parameters(), lr=1e-3, betas=(0.0, 0.9))
    everything = [*critic.parameters(), *generator.parameters()]
    for epoch in range(2):
        for step in range(6):
            real = torch.randn(16, 4) * torch.tensor([1.0, 0.5, 0.5, 2.0])
            z = torch.randn(16, 2)
            mix = torch.rand(16, 1)
            opt_c.zero_grad()
            loss_c = critic_loss(critic, real, generator(z).detach(), mix)
            loss_c.backward()
            opt_c.step()
            record(everything)
            if step % 3 == 2:
                opt_g.zero_grad()
                with torch.autocast("cpu", dtype=torch.bfloat16):
                    loss_g = -critic(generator(z)).mean()
                loss_g.backward()
                opt_g.step()
                record(everything)
        print(epoch, round(loss_c.item(), 3), round(loss_g.item(), 3))


if __name__ == "__main__":
    train(lambda parameters: None)
