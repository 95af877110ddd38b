from itertools import chain

import torch
from torch import nn


class Autoencoder:
    def __init__(self, width):
        self.encoder = nn.Sequential(nn.Linear(8, width), nn.ELU())
        self.decoder = nn.Linear(width, 8)
        self.opt = torch.optim.Adam(self.weights, lr=5e-3)

    @property
    def weights(self):
        parts = [self.encoder.parameters()]
        if self.decoder is not None:
            parts.append(self.decoder.parameters())
        return chain(*parts)

    def loss(self, x):
        return (self.decoder(self.encoder(x)) - x).abs().mean()

    def update(self, x, limit):
        self.opt.zero_grad()
        loss = self.loss(x)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.weights, limit)
        self.opt.step()
        return loss.item(), norm.item()

    def grow(self, extra):
        old = self.decoder
        hidden = nn.Linear(old.in_features, extra)
        self.decoder = nn.Sequential(hidden, nn.ELU(), nn.Linear(extra, old.out_features))
        self.opt.add_param_group({"params": list(self.decoder.parameters())})


def train(record):
    torch.manual_seed(19)
    basis = torch.randn(3, 8)
    model = Autoencoder(5)
    for epoch in range(3):
        if epoch == 1:
            model.grow(7)
        history = []
        for _ in range(6):
            x = torch.randn(12, 3) @ basis
            history.append(model.update(x, limit=0.3))
            record(list(model.weights))
        losses, norms = zip(*history)
        print(epoch, round(sum(losses) / 6, 4), round(max(norms), 4))


if __name__ == "__main__":
    train(lambda parameters: None)
