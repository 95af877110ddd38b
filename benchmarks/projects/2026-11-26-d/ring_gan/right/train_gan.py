import math

import torch

import networks  # noqa: F401  (fills the registry)
from meters import Meter
from objectives import OBJECTIVES
from registry import NETS
from updates import descend

CONFIG = {
    "generator": {"name": "mlp_generator", "z": 4},
    "critic": {"name": "mlp_critic", "hidden": 32},
    "objective": "vanilla",
    "iters": 60,
    "batch": 64,
}


def ring(n):
    t = torch.rand(n) * 2 * math.pi
    return torch.stack([t.cos(), t.sin()], dim=1) + 0.02 * torch.randn(n, 2)


def main(cfg=CONFIG):
    torch.manual_seed(11)
    gen, critic = NETS.build(**cfg["generator"]), NETS.build(**cfg["critic"])
    objective = OBJECTIVES.build(cfg["objective"])
    opt_g = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.5, 0.99))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.99))
    loss_c, loss_g = Meter("critic"), Meter("generator")
    for it in range(1, cfg["iters"] + 1):
        real, fake = ring(cfg["batch"]), gen(cfg["batch"])
        loss_c.update(descend(opt_c, objective.critic(critic(real), critic(fake.detach()))))
        loss_g.update(descend(opt_g, objective.generator(critic(fake))))
        if it % 20 == 0:
            print(it, loss_c, loss_g)


if __name__ == "__main__":
    main()
