import torch
from torch import nn

from larvae.growth import GrowthLoss, tanks
from larvae.settings import Settings
from larvae.updater import Updater


def main():
    settings = Settings()
    torch.manual_seed(5)
    net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
    measure = GrowthLoss(settings.window)
    updater = Updater(net, settings, average=True)
    for round_ in range(settings.rounds):
        seen = 0.0
        for n, (conditions, length) in enumerate(tanks(settings.batches), start=1):
            share = measure(net(conditions), length)
            share.backward()
            seen += share.item()
            updater.bound()
            if n % settings.window == 0 or n == settings.batches:
                updater.apply()
        print(round_, round(seen, 4))
