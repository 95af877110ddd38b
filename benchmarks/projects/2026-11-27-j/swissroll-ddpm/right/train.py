import argparse
import json
from types import SimpleNamespace

import torch
from torch.optim.lr_scheduler import LambdaLR

from diffusion import GaussianDiffusion
from engine import Engine
from hooks import EmaHook, LrHook, OptimizerHook
from nets import Denoiser


def swiss_roll(batch):
    while True:
        u = torch.rand(batch)
        r, a = 0.2 + u, 9.0 * u
        yield torch.stack([r * a.cos(), r * a.sin()], 1) + 0.01 * torch.randn(batch, 2)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="config.json")
    with open(ap.parse_args().config) as f:
        cfg = SimpleNamespace(**json.load(f))
    torch.manual_seed(0)
    net = Denoiser(cfg.hidden)
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    warmup = LambdaLR(opt, lambda u: min(1.0, (u + 1) / cfg.warmup_updates))
    lr_hook = LrHook(warmup)
    hooks = [OptimizerHook(), lr_hook, EmaHook(net, cfg.ema_decay)]
    engine = Engine(net, GaussianDiffusion(cfg.timesteps), opt, cfg.accumulate, hooks)
    engine.run(swiss_roll(cfg.batch_size), cfg.updates)
    print("loss", round(sum(engine.losses[-10:]) / 10, 4))
    print("rates", [round(r, 5) for r in lr_hook.rates[:12]])


if __name__ == "__main__":
    main()
