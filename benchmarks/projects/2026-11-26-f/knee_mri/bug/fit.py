import torch
from torch import nn

from callbacks import ClearGradients, LimitGradients, Report
from loop import Loop
from phantoms import slices


def reconstructor(width=8):
    return nn.Sequential(
        nn.Conv2d(1, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(),
        nn.Conv2d(width, width, 3, padding=1), nn.ReLU(), nn.Conv2d(width, 1, 1),
    )


if __name__ == "__main__":
    torch.manual_seed(6)
    net = reconstructor()
    loop = Loop(
        net,
        torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9),
        slices(56, seed=1),
        slices(16, seed=2),
        window=4,
        callbacks=[ClearGradients(), LimitGradients(0.05), Report()],
    )
    loop.run(4)
