import math

import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import ExponentialLR

from nets import Discriminator, Generator
from registry import OPTIMIZERS
from stepping import Decay, descend
from tracker import Tracker

OPT = {"name": "adam", "g_lr": 1e-3, "d_lr": 1e-3}
EPOCHS, ITERS, BATCH = 4, 20, 64


def ring(n):
    angle = torch.randint(8, (n,)) * (2 * math.pi / 8)
    return torch.stack([angle.cos(), angle.sin()], 1) + 0.02 * torch.randn(n, 2)


def bce(logits, target):
    return F.binary_cross_entropy_with_logits(logits, torch.full_like(logits, target))


def main():
    torch.manual_seed(1)
    G, D = Generator(4), Discriminator()
    make = OPTIMIZERS[OPT["name"]]
    opt_g, opt_d = make(G.parameters(), OPT["g_lr"]), make(D.parameters(), OPT["d_lr"])
    decay = Decay(ExponentialLR(opt_g, 0.8), ExponentialLR(opt_d, 0.8))
    tracker = Tracker()
    for epoch in range(EPOCHS):
        for _ in range(ITERS):
            real, z = ring(BATCH), torch.randn(BATCH, G.nz)
            d_loss = bce(D(real), 0.9) + bce(D(G(z).detach()), 0.0)
            descend(opt_d, d_loss)
            g_loss = bce(D(G(torch.randn(BATCH, G.nz))), 1.0)
            descend(opt_g, g_loss)
            tracker.log(d=d_loss.item(), g=g_loss.item())
        decay.advance()
        print(f"{epoch} d {tracker.last('d'):.3f} g {tracker.last('g'):.3f}")


if __name__ == "__main__":
    main()
