"""Encoder and decoder with optimizers of their own; updates whose norm jumps are left out."""
import torch
from torch import nn


class SpikeGuard:
    def __init__(self, factor=4.0):
        self.factor, self.usual = factor, None

    def calm(self, norm):
        if self.usual is None:
            self.usual = norm
        fine = norm < self.factor * self.usual
        self.usual = 0.9 * self.usual + 0.1 * min(norm, self.factor * self.usual)
        return fine


def signal(n):
    t = torch.linspace(0, 3, 12)
    return torch.sin(torch.rand(n, 1) * 3 * t) + 0.05 * torch.randn(n, 12)


def train(record):
    torch.manual_seed(100)
    encoder = nn.Sequential(nn.Linear(12, 16), nn.Tanh(), nn.Linear(16, 3))
    decoder = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 12))
    params = [*encoder.parameters(), *decoder.parameters()]
    enc_opt = torch.optim.SGD(encoder.parameters(), lr=0.1)
    dec_opt = torch.optim.SGD(decoder.parameters(), lr=0.3)
    scaler = torch.amp.GradScaler("cpu", init_scale=128.0)
    guard = SpikeGuard()
    skipped = 0
    for _ in range(25):
        x = signal(20)
        enc_opt.zero_grad()
        dec_opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            out = decoder(encoder(x))
        scaler.scale(nn.functional.mse_loss(out.float(), x)).backward()
        scaler.unscale_(enc_opt)
        scaler.unscale_(dec_opt)
        norm = nn.utils.clip_grad_norm_(params, 0.3).item()
        if guard.calm(norm):
            scaler.step(enc_opt)
            scaler.step(dec_opt)
            record(params)
        else:
            skipped += 1
        scaler.update()
    print("skipped", skipped)


if __name__ == "__main__":
    train(lambda parameters: None)
