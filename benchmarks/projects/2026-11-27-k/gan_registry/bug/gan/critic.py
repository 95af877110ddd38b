import torch
import torch.nn.functional as F

from .registry import phase


@phase("critic")
def critic_phase(game, real):
    z = torch.randn(len(real), game.zdim)
    with torch.no_grad():
        fake = game.G(z)
    loss = F.relu(1 - game.D(real)).mean() + F.relu(1 + game.D(fake)).mean()
    loss.backward()
    game.opt_d.step()
    game.opt_d.zero_grad()
    game.meters["d"].update(loss, len(real))
