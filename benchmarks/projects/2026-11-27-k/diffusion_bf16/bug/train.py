import sys

import torch

from diffusion.config import Config
from diffusion.denoiser import Denoiser
from diffusion.gaussian import Gaussian
from diffusion.trainer import DiffusionTrainer


def circles(batch_size):
    while True:
        angle = 6.2832 * torch.rand(batch_size)
        yield torch.stack([angle.cos(), angle.sin()], 1)


if __name__ == "__main__":
    cfg = Config.load(sys.argv[1] if len(sys.argv) > 1 else "config.yaml")
    torch.manual_seed(0)
    model = Denoiser(timesteps=cfg.timesteps)
    DiffusionTrainer(cfg, model, Gaussian(cfg.timesteps), circles(cfg.batch_size)).train()
