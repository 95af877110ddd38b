"""Multivariate load forecasting with an MLP-mixer block; linear warm-up then inverse square root."""
import argparse
from pathlib import Path

import torch
import torch.nn as nn


def parse(argv=None):
    p = argparse.ArgumentParser()
    p.add_argument("--max-updates", type=int, default=8)
    p.add_argument("--update-freq", type=int, default=4)
    p.add_argument("--warmup-updates", type=int, default=4)
    p.add_argument("--lr", type=float, default=4e-3)
    p.add_argument("--clip-norm", type=float, default=0.1)
    p.add_argument("--save-dir", type=Path, default=None)
    return p.parse_args(argv)


class MixerForecaster(nn.Module):
    def __init__(self, channels=3, history=16, horizon=4):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(history, 24), nn.GELU(), nn.Linear(24, history))
        self.chan = nn.Linear(channels, channels)
        self.head = nn.Linear(history, horizon)

    def forward(self, x):
        x = x + self.time(x)
        x = x + self.chan(x.transpose(1, 2)).transpose(1, 2)
        return self.head(x)


def micro_batches():
    while True:
        phase = torch.rand(6, 3, 1) * 6.28
        t = torch.arange(20.0)
        wave = torch.sin(t / 3 + phase)
        yield wave[..., :16], wave[..., 16:]


def main(argv=None):
    args = parse(argv)
    torch.manual_seed(31)
    model = MixerForecaster().train()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, betas=(0.9, 0.98))
    w = args.warmup_updates
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda n: min((n + 1) / w, (w / (n + 1)) ** 0.5))

    num_updates, pending = 0, 0
    for history, future in micro_batches():
        loss = (model(history) - future).abs().mean()
        (loss / args.update_freq).backward()
        nn.utils.clip_grad_norm_(model.parameters(), args.clip_norm)
        pending += 1
        if pending == args.update_freq:
            optimizer.step()
            optimizer.zero_grad()
            pending = 0
            num_updates += 1
            print(f"update {num_updates} lr {optimizer.param_groups[0]['lr']:.5f} mae {loss.item():.4f}")
        scheduler.step()
        if num_updates >= args.max_updates:
            break
    if args.save_dir:
        torch.save(model.state_dict(), args.save_dir / "last.pt")


if __name__ == "__main__":
    main([])
