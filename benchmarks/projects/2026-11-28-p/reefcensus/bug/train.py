import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "src"))

import torch

from reefcensus.dataset import transects
from reefcensus.loop import Surveyor
from reefcensus.net import build_net
from reefcensus.objective import CensusObjective
from reefcensus.window import Window

EPOCHS = 3
WINDOW = 4


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    loader = transects()
    net = build_net()
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)
    objective = CensusObjective(rare_weight=0.2, window=WINDOW)
    window = Window(WINDOW, len(loader))
    surveyor = Surveyor(net, optimizer, objective, window)
    for epoch in range(EPOCHS):
        print(epoch, round(surveyor.sweep(loader), 4))


if __name__ == "__main__":
    main()
