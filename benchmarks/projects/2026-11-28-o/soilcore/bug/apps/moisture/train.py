import pathlib
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "libs"))

from cores import core_batches  # noqa: E402
from geotrain.nets import regressor  # noqa: E402
from geotrain.passes import single_pass  # noqa: E402
from geotrain.windows import window_ends  # noqa: E402

WINDOW = 4


def warm_up(net, optimizer, batches):
    for batch in batches:
        single_pass(net, optimizer, batch)
        optimizer.step()


def main():
    torch.manual_seed(8)
    net = regressor(5)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    warm_up(net, optimizer, core_batches(4, seed=100))
    for epoch in range(3):
        batches = core_batches(13, seed=epoch)
        optimizer.zero_grad()
        total = 0.0
        for i, batch in enumerate(batches):
            total += single_pass(net, optimizer, batch, weight=1 / WINDOW)
            if window_ends(i, WINDOW, len(batches)):
                optimizer.step()
                optimizer.zero_grad()
        print(epoch, total / len(batches))


if __name__ == "__main__":
    main()
