import math

import torch
from torch.optim.lr_scheduler import LinearLR

from planisphere.callbacks import HeldOut, Reins, Twilight
from planisphere.loop import Loop
from planisphere.stars import LightCurve, nights

EPOCHS, ACCUM = 3, 4


def main():
    torch.manual_seed(1603)
    plates, held_out = nights(90), nights(30)
    net = LightCurve()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.8)
    total_updates = EPOCHS * math.ceil(len(plates) / ACCUM)
    schedule = LinearLR(optimizer, start_factor=1.0, end_factor=0.05, total_iters=total_updates)
    callbacks = [Reins(2.0), Twilight(schedule), HeldOut(held_out)]
    Loop(net, optimizer, ACCUM, callbacks).run(plates, EPOCHS)


if __name__ == "__main__":
    main()
