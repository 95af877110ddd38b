import torch

from callbacks import Ema, GradLimit
from config import Config
from denoiser import Denoiser, Diffusion
from engine import Engine
from precision import cast


def moons(n):
    a = torch.rand(n) * 3.14159
    top = torch.rand(n) < 0.5
    x = torch.where(top, a.cos(), 1 - a.cos())
    y = torch.where(top, a.sin(), 0.5 - a.sin())
    return torch.stack([x, y], 1)


def main(cfg=Config()):
    torch.manual_seed(0)
    net = Denoiser(cfg.schedule.steps)
    engine = Engine(net, Diffusion(cfg.schedule), cfg, [GradLimit(cfg.max_norm), Ema()])
    for it in range(cfg.iters):
        with cast(cfg):
            loss = engine.update(moons(cfg.batch))
        if it % 15 == 14:
            print(f"it {it + 1:4d}  loss {loss:.4f}")


if __name__ == "__main__":
    main()
