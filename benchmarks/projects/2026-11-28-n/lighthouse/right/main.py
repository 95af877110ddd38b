import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from beam.loop import sweep
from beam.updates import Updates
from ships import ship_loader
from world import closed, opened


def main():
    torch.manual_seed(2)
    opened()
    loader = ship_loader(72)
    lamp = DistributedDataParallel(nn.Sequential(nn.Linear(6, 18), nn.ReLU(), nn.Linear(18, 4)))
    updates = Updates(lamp, rate=0.05, most=1.0)
    for night in range(3):
        loader.batch_sampler.sampler.set_epoch(night)
        print(night, sweep(lamp, loader, updates, accum=3))
    closed()


if __name__ == "__main__":
    main()
