import math
import pathlib
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from crane.amp import AmpHoist  # noqa: E402
from crane.load import Jib, containers  # noqa: E402

WINDOW, WATCHES = 4, 3


def main():
    torch.manual_seed(19)
    jib, load = Jib(), containers(88)
    optimizer = torch.optim.SGD(jib.parameters(), lr=0.05)
    total_updates = WATCHES * math.ceil(len(load) / WINDOW)
    ramp = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=total_updates)
    hoist = AmpHoist(jib, optimizer, ramp, WINDOW)
    for watch in range(WATCHES):
        print(f"watch {watch}: {hoist.lift(load):.4f} at rate {ramp.get_last_lr()[0]:.4f}")


if __name__ == "__main__":
    main()
