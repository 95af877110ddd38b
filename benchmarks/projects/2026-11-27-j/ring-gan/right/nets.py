from torch import nn


def mlp(*sizes, act=nn.LeakyReLU, last=None):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), act(0.2)]
    layers.pop()
    if last:
        layers.append(last)
    return nn.Sequential(*layers)


class Generator(nn.Module):
    def __init__(self, nz):
        super().__init__()
        self.nz, self.main = nz, mlp(nz, 32, 32, 2)

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = mlp(2, 32, 32, 1)

    def forward(self, x):
        return self.main(x).squeeze(1)
