import json
from pathlib import Path

import torch

from gan import nets
from gan.callbacks import Decay, RateLog
from gan.penalty import gradient_penalty
from gan.players import Player


def glyphs(n):
    """Crosses and boxes of 6 x 6 pixels."""
    images = torch.zeros(n, 6, 6)
    images[: n // 2, 2:4] = images[: n // 2, :, 2:4] = 1.0
    images[n // 2 :, 1:5, 1:5] = 1.0
    images[n // 2 :, 2:4, 2:4] = 0.0
    return (images.flatten(1) + 0.05 * torch.randn(n, 36)).clamp(0, 1)


def play(conf):
    generator = Player(nets.generator(conf["latent"]), conf["lr"]["generator"], conf["decay"])
    critic = Player(nets.critic(), conf["lr"]["critic"], conf["decay"])
    players = {"generator": generator, "critic": critic}
    callbacks = [Decay(), RateLog()]
    for epoch in range(conf["epochs"]):
        for callback in callbacks:
            callback.epoch_begin(epoch, players)
        for _ in range(conf["turns"]):
            for _ in range(conf["critic_turns"]):
                real = glyphs(conf["batch"])
                with torch.no_grad():
                    fake = generator.net(torch.randn(conf["batch"], conf["latent"]))
                gap = critic.net(fake).mean() - critic.net(real).mean()
                distance = critic.turn(gap + conf["penalty"] * gradient_penalty(critic.net, real, fake))
            fake = generator.net(torch.randn(conf["batch"], conf["latent"]))
            generator.turn(-critic.net(fake).mean())
        print("  critic", round(distance, 4))
        for callback in callbacks:
            callback.epoch_end(epoch, players)


if __name__ == "__main__":
    conf = json.loads(Path("conf.json").read_text())
    torch.manual_seed(conf["seed"])
    play(conf)
