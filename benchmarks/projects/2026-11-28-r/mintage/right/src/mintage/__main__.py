import torch

from mintage.dies import DieNet, WearLoss
from mintage.ledger import blanks
from mintage.settings import Settings
from mintage.strike import Striker
from mintage.window import Window


def main():
    settings = Settings()
    torch.manual_seed(settings.seed)
    net = DieNet(settings.features, settings.width)
    optimizer = torch.optim.SGD(net.parameters(), lr=settings.rate, momentum=0.9)
    reading = WearLoss(settings.tolerance, settings.strikes_per_update)
    striker = Striker(net, optimizer, Window(settings.strikes_per_update), reading)
    loader = blanks(settings)
    for shift in range(settings.shifts):
        print(f"shift {shift}: {striker.epoch(loader):.4f}")


if __name__ == "__main__":
    main()
