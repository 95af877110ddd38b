"""Denoising autoencoder; encoder and decoder have optimizers of their own, and one clip."""
from itertools import chain

import torch
from torch import nn
from torch.nn import functional as F


class Denoiser:
    def __init__(self, width=12, code=3):
        self.encoder = nn.Sequential(nn.Linear(width, 16), nn.ReLU(), nn.Linear(16, code))
        self.decoder = nn.Sequential(nn.Linear(code, 16), nn.ReLU(), nn.Linear(16, width))
        self.enc_opt = torch.optim.SGD(self.encoder.parameters(), lr=0.2)
        self.dec_opt = torch.optim.SGD(self.decoder.parameters(), lr=0.4)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=2.0**12)

    def weights(self):
        return chain(self.encoder.parameters(), self.decoder.parameters())

    def loss(self, clean):
        noisy = clean + 0.2 * torch.randn_like(clean)
        return F.mse_loss(self.decoder(self.encoder(noisy)), clean)

    def learn(self, clean):
        self.scaler.scale(self.loss(clean)).backward()
        self.scaler.unscale_(self.enc_opt)
        nn.utils.clip_grad_norm_(self.weights(), 1.0)
        self.scaler.step(self.enc_opt)
        self.scaler.step(self.dec_opt)
        self.scaler.update()
        self.enc_opt.zero_grad()
        self.dec_opt.zero_grad()


def train(record):
    torch.manual_seed(28)
    model = Denoiser()
    basis = torch.randn(3, 12)
    for _ in range(25):
        model.learn(torch.randn(20, 3) @ basis)
        record(list(model.weights()))


if __name__ == "__main__":
    train(lambda parameters: None)
