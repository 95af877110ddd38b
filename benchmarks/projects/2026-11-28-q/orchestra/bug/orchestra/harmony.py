from torch.nn import functional as F

from orchestra.players import bare


class Harmony:
    def __init__(self, smoothness):
        self.smoothness = smoothness

    def __call__(self, players, notes, tempo):
        strings = bare(players)
        error = F.mse_loss(strings(notes), tempo)
        return error + self.smoothness * strings.roughness()
