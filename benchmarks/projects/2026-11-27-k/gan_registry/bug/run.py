import math

import torch

from gan import PHASES
from gan.nets import mlp
from gan.registry import Game

SCHEDULE = ("critic", "generator")


def ring(n, modes=8):
    k = torch.randint(modes, (n,)) * (2 * math.pi / modes)
    return torch.stack([k.cos(), k.sin()], 1) + 0.05 * torch.randn(n, 2)


def main(rounds=4, batches=40):
    torch.manual_seed(0)
    G, D = mlp(8, 64, 64, 2), mlp(2, 64, 64, 1)
    game = Game(
        G=G,
        D=D,
        opt_g=torch.optim.Adam(G.parameters(), lr=2e-4, betas=(0.0, 0.9)),
        opt_d=torch.optim.Adam(D.parameters(), lr=4e-4, betas=(0.0, 0.9)),
    )
    for r in range(rounds):
        for m in game.meters.values():
            m.reset()
        for _ in range(batches):
            real = ring(64)
            for name in SCHEDULE:
                PHASES[name](game, real)
        print(r, {k: round(m.mean, 3) for k, m in game.meters.items()})


if __name__ == "__main__":
    main()
