import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as bce


def mlp(sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    return nn.Sequential(*layers[:-1])


class Gan:
    def __init__(self, noise=3):
        self.noise = noise
        self.gen = mlp([noise, 16, 2])
        self.disc = mlp([2, 16, 1])
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=2e-3, betas=(0.5, 0.99))
        self.opt_d = torch.optim.Adam(self.disc.parameters(), lr=2e-3, betas=(0.5, 0.99))

    def parameters(self):
        return [*self.gen.parameters(), *self.disc.parameters()]

    def turn(self, real, record):
        ones, zeros = torch.ones(len(real), 1), torch.zeros(len(real), 1)
        fake = self.gen(torch.randn(len(real), self.noise))

        self.opt_d.zero_grad()
        loss_d = bce(self.disc(real), ones) + bce(self.disc(fake.detach()), zeros)
        loss_d.backward()
        self.opt_d.step()
        record(self.parameters())

        loss_g = bce(self.disc(fake), ones)
        loss_g.backward()
        self.opt_g.step()
        self.opt_g.zero_grad()
        record(self.parameters())
        return loss_d.item(), loss_g.item()


def train(record):
    torch.manual_seed(101)
    gan = Gan()
    for epoch in range(2):
        for _ in range(6):
            angle = torch.rand(16) * 6.283
            real = torch.stack([angle.cos(), angle.sin()], dim=1)
            losses = gan.turn(real, record)
        print(epoch, [round(v, 4) for v in losses])


if __name__ == "__main__":
    train(lambda parameters: None)
