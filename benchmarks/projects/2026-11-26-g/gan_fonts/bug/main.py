import torch

import hooks
from glyphs import glyph_batches
from nets import Critic, Drawer
from pair import OptimizerPair
from turns import critic_turn, drawer_turn


def main(epochs=3):
    torch.manual_seed(5)
    nets = {"drawer": Drawer(), "critic": Critic()}
    pair = OptimizerPair(nets, lr=1e-3)
    for epoch in range(epochs):
        hooks.fire("epoch_begin", pair)
        for real in glyph_batches(8):
            d_loss = critic_turn(nets, pair, real)
            g_loss = drawer_turn(nets, pair, len(real))
        print(epoch, f"critic {d_loss:.3f} drawer {g_loss:.3f} rates {pair.rates()}")
        hooks.fire("epoch_done", pair)


if __name__ == "__main__":
    main()
