from contextlib import contextmanager

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Precision:
    def __init__(self, active=True):
        self.scaler = torch.amp.GradScaler("cpu", init_scale=256.0, growth_interval=5, enabled=active)

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    @contextmanager
    def update_of(self, optimizer):
        """Inside, the gradients have their true size; at the end the update is made."""
        self.scaler.unscale_(optimizer)
        yield
        self.scaler.step(optimizer)
        self.scaler.update()
        optimizer.zero_grad()


def train(record):
    torch.manual_seed(71)
    precision = Precision()
    denoiser = nn.Sequential(nn.Linear(9, 18), nn.SiLU(), nn.Linear(18, 8))
    optimizer = torch.optim.AdamW(denoiser.parameters(), lr=4e-3)
    for _ in range(25):
        clean = torch.randn(20, 8).cumsum(1)
        level = torch.rand(20, 1)
        noise = torch.randn_like(clean)
        noisy = (1 - level).sqrt() * clean + level.sqrt() * noise
        with torch.autocast("cpu", dtype=torch.float16):
            guess = denoiser(torch.cat([noisy, level], 1))
        loss = nn.functional.mse_loss(guess.float(), noise)
        precision.backward(loss)
        with precision.update_of(optimizer):
            clip_grad_norm_(denoiser.parameters(), 0.5)
        record(list(denoiser.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
