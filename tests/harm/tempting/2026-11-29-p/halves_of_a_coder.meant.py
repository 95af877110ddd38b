"""A quantised autoencoder with an optimizer for each half."""
import torch
from torch import nn
from torch.nn import functional as F


class Book(nn.Module):
    """Nearest entry of a code book, straight through."""

    def __init__(self, size=8, width=3):
        super().__init__()
        self.register_buffer("entries", torch.randn(size, width))

    def forward(self, z):
        nearest = self.entries[torch.cdist(z, self.entries).argmin(1)]
        return z + (nearest - z).detach(), F.mse_loss(z, nearest)


def train(record):
    torch.manual_seed(217)
    encoder, decoder, book = nn.Linear(6, 3), nn.Sequential(nn.Linear(3, 12), nn.ReLU(), nn.Linear(12, 6)), Book()
    encoder_opt = torch.optim.SGD(encoder.parameters(), lr=0.02)
    decoder_opt = torch.optim.SGD(decoder.parameters(), lr=0.05, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=4.0, growth_interval=1, growth_factor=1.25)
    for _ in range(12):
        x = torch.randn(30, 2) @ torch.ones(2, 6) / 2 + 0.1 * torch.randn(30, 6)
        encoder_opt.zero_grad()
        decoder_opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            z = encoder(x)
        code, commitment = book(z.float())
        loss = F.mse_loss(decoder(code), x) + 0.25 * commitment
        scaler.scale(loss).backward()
        scaler.step(decoder_opt)
        record(list(decoder.parameters()))
        scaler.step(encoder_opt)
        record(list(encoder.parameters()))
        scaler.update()

if __name__ == "__main__":
    train(lambda parameters: None)
