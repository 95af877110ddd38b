from torch import nn
from torch.nn.parallel import DistributedDataParallel

MODELS = {}


def model(name):
    def keep(cls):
        MODELS[name] = cls
        return cls

    return keep


@model("strike")
class StrikeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 18), nn.ReLU(), nn.Dropout(0.1), nn.Linear(18, 2))

    def forward(self, strike):
        return self.net(strike)

    def damping(self):
        return sum(p.square().sum() for p in self.net.parameters())


def build_model(name):
    return DistributedDataParallel(MODELS[name]())
