import torch

from .data import splits
from .fit import fit
from .model import BeltNet


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    fresh, held_out = splits()
    net = BeltNet()
    net.train()
    best = fit(net, fresh, held_out, epochs=4, lr=0.02)
    print("best", best)


main()
