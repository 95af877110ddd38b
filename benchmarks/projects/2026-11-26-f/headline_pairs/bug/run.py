import os
import tempfile

import torch

from pairs.data import headlines
from pairs.net import TwoTower
from pairs.stopping import EarlyStop
from pairs.trainer import Trainer


def trainer():
    return Trainer(TwoTower(), headlines(132, seed=1), headlines(36, seed=2, shuffle=False), EarlyStop(2, patience=3))


if __name__ == "__main__":
    torch.manual_seed(27)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "last.pt")
        first = trainer()
        first.fit(2)
        first.save(path)
        second = trainer()
        second.resume(path)
        second.fit(5)
