import argparse
from dataclasses import fields

import torch

from swirl.denoiser import Denoiser, Diffusion
from swirl.fit import fit
from swirl.options import Options


def parse():
    parser = argparse.ArgumentParser()
    for f in fields(Options):
        parser.add_argument(f"--{f.name}", type=type(f.default), default=f.default)
    return Options(**vars(parser.parse_args()))


def main():
    torch.manual_seed(0)
    opts = parse()
    diffusion = Diffusion(opts.timesteps)
    net = fit(Denoiser(opts.width, opts.timesteps), diffusion, opts)
    xs = diffusion.sample(net, 64)
    print("samples", xs.mean(0).tolist(), xs.std(0).tolist())


if __name__ == "__main__":
    main()
