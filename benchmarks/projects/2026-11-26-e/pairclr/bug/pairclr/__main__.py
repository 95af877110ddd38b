import sys

import torch
import yaml
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader

from . import Projector, group, images
from .fit import fit


def build_optimizer(model, cfg):
    return getattr(torch.optim, cfg["name"])(model.parameters(), **cfg["kwargs"])


if __name__ == "__main__":
    with open(sys.argv[1]) as f:
        cfg = yaml.safe_load(f)
    torch.manual_seed(0)
    with group(**cfg["world"]):
        model = DDP(Projector(**cfg["model"]))
        loader = DataLoader(images(cfg["data"]["images"]), batch_size=cfg["data"]["batch"], shuffle=True)
        for epoch, loss in fit(model, loader, build_optimizer(model, cfg["optim"]), cfg):
            print(f"epoch {epoch} nce {loss:.4f}")
