import math

import torch
import yaml

from tidepool.callbacks import LrMover, Printer
from tidepool.loop import Loop
from tidepool.registry import build
from tidepool.sea import pools, snail
from tidepool import shares  # noqa: F401  (fills the registry)


def main():
    with open("settings.yaml") as file:
        settings = yaml.safe_load(file)
    torch.manual_seed(settings["seed"])
    net, data = snail(), pools(72)
    optimizer = torch.optim.SGD(net.parameters(), lr=settings["lr"])
    total_updates = settings["tides"] * math.ceil(len(data) / settings["window"])
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=total_updates)
    callbacks = [LrMover(schedule), Printer()]
    share = build("share", settings["share"])
    Loop(net, optimizer, share, callbacks, settings["window"]).run(data, settings["tides"])


if __name__ == "__main__":
    main()
