import torch

from .registry import phase


@phase("generator")
def generator_phase(game, real):
    z = torch.randn(len(real), game.zdim)
    game.opt_g.zero_grad()
    loss = -game.D(game.G(z)).mean()
    loss.backward()
    game.opt_g.step()
    game.meters["g"].update(loss.item(), len(real))
