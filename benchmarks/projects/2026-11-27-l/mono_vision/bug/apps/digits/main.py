import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "libs" / "trainkit"))

import torch
from glyphs import glyph_loader
from steps import accuracy, build_net, clipper, micro_step
from trainkit import Updater, Window

ACCUM = 4


def main():
    torch.manual_seed(4)
    net = build_net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
    train, held_out = glyph_loader(330, 16, True, 0), glyph_loader(160, 32, False, 1)
    window = Window(ACCUM)
    update = Updater(optimizer, after=[clipper(net, 1.0)])
    net.train()
    for epoch in range(3):
        losses = window.run(train, partial(micro_step, net), update)
        print(epoch, round(sum(losses) / len(losses), 4), round(accuracy(net, held_out), 3), update.count)


if __name__ == "__main__":
    main()
