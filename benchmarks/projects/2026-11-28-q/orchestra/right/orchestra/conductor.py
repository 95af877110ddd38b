import torch

from orchestra.harmony import Harmony
from orchestra.players import assemble, hush


class Conductor:
    def __init__(self, settings):
        self.players = assemble()
        self.harmony = Harmony(settings.smoothness)
        self.loudness = settings.loudness
        self.optimizer = torch.optim.SGD(self.players.parameters(), lr=settings.lr)

    def play(self, loader):
        total = 0.0
        for notes, tempo in loader:
            loss = self.harmony(self.players, notes, tempo)
            loss.backward()
            hush(self.players, self.optimizer, self.loudness)
            total += loss.item()
        return total / len(loader)
