import argparse
import json

import torch

from simclr import CLIPPERS, HOOKS, Encoder, nt_xent, view_loader


def train(cfg):
    loader = view_loader(cfg["batch_size"])
    encoder = Encoder()
    optimizer = torch.optim.SGD(encoder.parameters(), lr=cfg["lr"], momentum=0.9)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=cfg["epochs"] * len(loader))
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**12)
    clip = CLIPPERS[cfg["clipper"]]
    hooks = [HOOKS[name](scheduler) for name in cfg["hooks"]]

    for epoch in range(cfg["epochs"]):
        encoder.train()
        for first, second in loader:
            optimizer.zero_grad()
            with torch.autocast("cpu", dtype=torch.float16):
                z1, z2 = encoder(first), encoder(second)
            loss = nt_xent(z1.float(), z2.float(), cfg["temperature"])
            scaler.scale(loss).backward()
            clip(encoder.parameters(), cfg["max_grad"])
            for hook in hooks:
                hook.before_step(loss)
            scaler.step(optimizer)
            scaler.update()
            for hook in hooks:
                hook.after_step()
        print(f"epoch {epoch}: loss {loss.item():.4f} lr {scheduler.get_last_lr()[0]:.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="config.json")
    options = parser.parse_args()
    torch.manual_seed(0)
    with open(options.config) as handle:
        train(json.load(handle))
