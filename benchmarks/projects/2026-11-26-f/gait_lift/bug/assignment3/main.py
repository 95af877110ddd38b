import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from . import dist_utils, loops
from .posedata import JOINTS, Loaders


def lifter(width=48):
    return nn.Sequential(
        nn.Linear(2 * JOINTS, width), nn.LayerNorm(width), nn.ReLU(), nn.Dropout(0.05), nn.Linear(width, 3 * JOINTS)
    )


if __name__ == "__main__":
    torch.manual_seed(3)
    with dist_utils.process_group():
        model = DistributedDataParallel(lifter())
        optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
        loops.train(model, Loaders(), optimizer, epochs=4, accum=3)
