from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.nn.utils import clip_grad_norm_


class Strings(nn.Module):
    def __init__(self):
        super().__init__()
        self.bow = nn.Linear(6, 12)
        self.body = nn.Linear(12, 1)

    def forward(self, notes):
        return self.body(self.bow(notes).tanh())

    def roughness(self):
        return self.bow.weight.diff(dim=1).pow(2).mean()


def assemble():
    return DistributedDataParallel(Strings())


def hush(players, optimizer, loudness):
    """Silence before a bar, and nobody louder than that."""
    optimizer.zero_grad()
    clip_grad_norm_(players.parameters(), loudness)


def bare(players):
    return getattr(players, "module", players)
