"""Least-squares GAN on points of a ring."""
import torch
from torch import nn


def ring(n):
    angle = torch.rand(n) * 6.283
    return torch.stack([angle.cos(), angle.sin()], 1)


class Game:
    def __init__(self):
        self.gen = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
        self.critic = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
        self.opt_g = torch.optim.SGD(self.gen.parameters(), lr=0.05)
        self.opt_c = torch.optim.SGD(self.critic.parameters(), lr=0.05)

    def critic_turn(self, real, fake):
        loss = (self.critic(real) - 1).pow(2).mean() + self.critic(fake.detach()).pow(2).mean()
        self.opt_c.zero_grad()
        loss.backward()
        self.opt_c.step()
        return list(self.critic.parameters())

    def generator_turn(self, fake):
        self.opt_g.zero_grad()
        loss = (self.critic(fake) - 1).pow(2).mean()
        loss.backward()
        self.opt_g.step()
        return list(self.gen.parameters())


def train(record):
    torch.manual_seed(61)
    game = Game()
    for _ in range(15):
        fake = game.gen(torch.randn(12, 3))
        record(game.critic_turn(ring(12), fake))
        record(game.generator_turn(fake))


if __name__ == "__main__":
    train(lambda parameters: None)
