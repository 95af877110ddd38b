"""Plausible settlement curves of quay walls, by two networks."""
import torch

from quay.build import make_networks, make_optimizers, make_schedules
from quay.critic import critic_turn
from quay.maker import maker_turn


def curves(n):
    g = torch.Generator().manual_seed(21)
    for _ in range(n):
        yield torch.rand(8, 10, generator=g).cumsum(1) / 10


def main(epochs=3):
    torch.manual_seed(0)
    maker, critic = make_networks()
    opt_maker, opt_critic = make_optimizers(maker, critic)
    decay = make_schedules(opt_maker, opt_critic)
    data = list(curves(9))
    for epoch in range(epochs):
        decay.advance()
        for real in data:
            judged = critic_turn(maker, critic, opt_critic, real)
            fooled = maker_turn(maker, critic, opt_maker, len(real))
        print(epoch, round(judged, 4), round(fooled, 4), decay.rates())


if __name__ == "__main__":
    main()
