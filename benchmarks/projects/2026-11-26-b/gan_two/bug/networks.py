from torch import nn


class Generator(nn.Module):
    def __init__(self, noise, hidden=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(noise, hidden), nn.ReLU(), nn.Linear(hidden, 2))

    def forward(self, z):
        return self.body(z)


class Critic(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, hidden), nn.LeakyReLU(0.2), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.body(x).squeeze(-1)
