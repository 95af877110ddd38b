from dataclasses import dataclass, field

import torch

UPDATES = {}


def register(name):
    def deco(fn):
        UPDATES[name] = fn
        return fn

    return deco


@dataclass
class Weave:
    gen: torch.nn.Module
    critic: torch.nn.Module
    z_dim: int = 8
    log: dict = field(default_factory=dict)

    def __post_init__(self):
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=1e-3, betas=(0.5, 0.9))

    def noise(self, n):
        return torch.randn(n, self.z_dim)
