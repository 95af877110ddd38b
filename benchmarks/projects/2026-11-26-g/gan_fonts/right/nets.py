from torch import nn


class Drawer(nn.Sequential):
    def __init__(self, noise=8):
        super().__init__(nn.Linear(noise, 32), nn.ReLU(), nn.Linear(32, 64), nn.Unflatten(1, (1, 8, 8)))


class Critic(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Flatten(), nn.Linear(64, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
