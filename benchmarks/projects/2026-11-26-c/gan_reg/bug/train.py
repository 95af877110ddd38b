import argparse

import torch
import yaml

import gan.updates  # noqa: F401
from gan.meters import MeterDict
from gan.models import Discriminator, Generator
from gan.registry import UPDATES


def real_batches(steps, batch_size, seed):
    g = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        angle = torch.rand(batch_size, 1, generator=g) * 6.2832
        ring = torch.cat([angle.cos(), angle.sin()], 1)
        yield ring + 0.05 * torch.randn(batch_size, 2, generator=g)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="configs/hinge.yaml")
    with open(parser.parse_args().config) as f:
        cfg = yaml.safe_load(f)
    torch.manual_seed(cfg["seed"])

    gen = Generator(cfg["z_dim"])
    disc = Discriminator()
    opt_g = torch.optim.Adam(gen.parameters(), lr=cfg["lr_g"], betas=(0.0, 0.9))
    opt_d = torch.optim.Adam(disc.parameters(), lr=cfg["lr_d"], betas=(0.0, 0.9))
    update = UPDATES.build(cfg["update"], gen=gen, disc=disc, opt_g=opt_g, opt_d=opt_d, z_dim=cfg["z_dim"])

    meters = MeterDict()
    for epoch in range(cfg["epochs"]):
        for real in real_batches(cfg["steps"], cfg["batch_size"], epoch):
            for _ in range(cfg["n_critic"]):
                d_out = update.discriminator(real)
            g_out = update.generator(len(real))
            meters.update({**d_out, **g_out}, n=len(real))
        print(f"epoch {epoch}: {meters}")
        sample = update.sample(4)
        print("sample radius", sample.norm(dim=1).mean().item())


if __name__ == "__main__":
    main()
