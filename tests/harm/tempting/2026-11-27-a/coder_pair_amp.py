from itertools import chain

import torch
from torch import nn


class Sketch:
    def __init__(self, width):
        self.enc = nn.Sequential(nn.Linear(width, 6), nn.Tanh())
        self.dec = nn.Linear(6, width)
        self.opt_enc = torch.optim.SGD(self.enc.parameters(), lr=0.3, momentum=0.9)
        self.opt_dec = torch.optim.SGD(self.dec.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)

    def parameters(self):
        return list(chain(self.enc.parameters(), self.dec.parameters()))

    def learn(self, x):
        self.opt_enc.zero_grad()
        self.opt_dec.zero_grad()
        noisy = x + 0.1 * torch.randn_like(x)
        loss = nn.functional.mse_loss(self.dec(self.enc(noisy)), x)
        self.scaler.scale(loss).backward()
        nn.utils.clip_grad_norm_(self.parameters(), 0.5)
        self.scaler.step(self.opt_enc)
        self.scaler.step(self.opt_dec)
        self.scaler.update()
        return loss.item()


def train(record):
    torch.manual_seed(203)
    sketch, rows = Sketch(8), torch.randn(60, 8) * torch.linspace(0.2, 3, 8)
    for epoch in range(2):
        for x in rows[torch.randperm(60)].split(10):
            sketch.learn(x)
            record(sketch.parameters())


if __name__ == "__main__":
    train(lambda parameters: None)
