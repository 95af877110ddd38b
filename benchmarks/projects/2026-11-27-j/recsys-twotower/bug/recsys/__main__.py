import sys

import torch
import yaml

from recsys.data import Interactions
from recsys.fit import Fitter
from recsys.towers import TwoTower


def main(path: str) -> None:
    with open(path) as fh:
        cfg = yaml.safe_load(fh)
    torch.manual_seed(0)
    data = Interactions(**cfg["data"])
    model = TwoTower(cfg["data"]["users"], cfg["data"]["items"], cfg["model"])
    Fitter(model, data, cfg).fit()


if __name__ == "__main__":
    main(sys.argv[1])
