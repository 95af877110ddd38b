"""Antithetic noise: each batch is seen with its noise and with the mirrored noise."""
import torch
from torch import nn
from torch.nn import functional as F

BATCHES, WINDOW = 24, 3
SHARE = 2 * WINDOW


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(7, 22), nn.SiLU(), nn.Linear(22, 6))

    def forward(self, noisy, level):
        return self.net(torch.cat([noisy, level], 1))


def train(record):
    torch.manual_seed(51)
    denoiser = Denoiser()
    optimizer = torch.optim.AdamW(denoiser.parameters(), lr=4e-3)
    basis = torch.randn(2, 6)
    optimizer.zero_grad()
    for index in range(BATCHES):
        clean = torch.randn(9, 2) @ basis
        level = torch.rand(9, 1)
        noise = torch.randn_like(clean)
        for sign in (1.0, -1.0):
            predicted = denoiser(clean + sign * level * noise, level)
            loss = F.mse_loss(predicted, sign * noise) / SHARE
            loss.backward()
        if (index + 1) % WINDOW == 0:
            optimizer.step()
            record(list(denoiser.parameters()))
            optimizer.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
