import torch
import torch.nn.functional as F
from torch import nn
from torch.amp import GradScaler, autocast


class Translator:
    def __init__(self):
        self.encoder = nn.Sequential(nn.Linear(6, 16), nn.Tanh())
        self.decoder = nn.Linear(16, 5)
        self.opt_enc = torch.optim.SGD(self.encoder.parameters(), lr=0.05)
        self.opt_dec = torch.optim.SGD(self.decoder.parameters(), lr=0.2)
        self.scaler = GradScaler("cpu", init_scale=64.0)

    @property
    def weights(self):
        return [*self.encoder.parameters(), *self.decoder.parameters()]

    def loss(self, source, target):
        with autocast("cpu", dtype=torch.float16):
            out = self.decoder(self.encoder(source))
        return F.mse_loss(out.float(), target)

    def learn(self, source, target, record):
        self.opt_enc.zero_grad()
        self.opt_dec.zero_grad()
        loss = self.loss(source, target)
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.opt_enc)
        self.scaler.unscale_(self.opt_dec)
        nn.utils.clip_grad_norm_(self.weights, 0.5)
        self.scaler.step(self.opt_enc)
        record(self.weights)
        self.scaler.step(self.opt_dec)
        record(self.weights)
        self.scaler.update()
        return loss.item()


def train(record):
    torch.manual_seed(34)
    sources = torch.randn(8, 12, 6)
    mixing = torch.randn(6, 5)
    translator = Translator()
    for epoch in range(2):
        for source in sources:
            translator.learn(source, (source @ mixing).sin(), record)


if __name__ == "__main__":
    train(lambda parameters: None)
