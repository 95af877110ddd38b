import math

import torch

from tapestry import UPDATES
from tapestry.nets import make_critic, make_generator
from tapestry.preview import spread
from tapestry.registry import Weave


def ring(batches, size=64, seed=1):
    g = torch.Generator().manual_seed(seed)
    for _ in range(batches):
        a = torch.rand(size, generator=g) * 2 * math.pi
        yield torch.stack([a.cos(), a.sin()], 1) + 0.05 * torch.randn(size, 2, generator=g)


def main(epochs=4, schedule=("critic", "generator")):
    torch.manual_seed(0)
    w = Weave(make_generator(8), make_critic())
    fixed = w.noise(128)
    for epoch in range(epochs):
        for real in ring(20, seed=epoch):
            for name in schedule:
                UPDATES[name](w, real)
        mean, std = spread(w.gen, fixed)
        print(epoch, {k: round(v, 4) for k, v in w.log.items()}, f"r={mean:.3f}+-{std:.3f}")


if __name__ == "__main__":
    main()
