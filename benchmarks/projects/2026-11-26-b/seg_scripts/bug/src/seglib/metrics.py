import torch

from .constants import EPS


class MeanIoU:
    def __init__(self, classes):
        self.classes = classes
        self.inter = torch.zeros(classes)
        self.union = torch.zeros(classes)

    def update(self, predicted, target):
        for c in range(self.classes):
            p, t = predicted == c, target == c
            self.inter[c] += (p & t).sum()
            self.union[c] += (p | t).sum()

    def compute(self):
        return (self.inter / (self.union + EPS)).mean().item()


class Running:
    def __init__(self):
        self.values = []

    def update(self, value):
        self.values.append(value)

    def mean(self):
        return torch.stack(self.values).mean().item()
