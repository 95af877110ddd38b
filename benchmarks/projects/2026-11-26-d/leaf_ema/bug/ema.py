import copy

import torch


class WeightAverage:
    def __init__(self, net, decay):
        self.net = copy.deepcopy(net).requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def absorb(self, net):
        for mine, new in zip(self.net.parameters(), net.parameters()):
            mine.lerp_(new, 1 - self.decay)

    @torch.no_grad()
    def distance(self, net):
        return sum((a - b).pow(2).sum().item() for a, b in zip(self.net.parameters(), net.parameters())) ** 0.5
