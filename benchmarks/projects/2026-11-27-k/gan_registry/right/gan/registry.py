from dataclasses import dataclass, field

from torch import nn, optim

from .meters import Running

PHASES = {}


def phase(name):
    def add(fn):
        PHASES[name] = fn
        return fn

    return add


@dataclass
class Game:
    G: nn.Module
    D: nn.Module
    opt_g: optim.Optimizer
    opt_d: optim.Optimizer
    zdim: int = 8
    meters: dict = field(default_factory=lambda: {"d": Running(), "g": Running()})
