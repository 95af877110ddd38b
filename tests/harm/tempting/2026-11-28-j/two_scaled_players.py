"""Coder and decoder are scaled by one scaler; the decoder's penalty is none of the coder's business."""
import torch
from torch import nn
from torch.nn import functional as F


class Pair:
    def __init__(self):
        self.coder = nn.Sequential(nn.Linear(8, 10), nn.Tanh(), nn.Linear(10, 3))
        self.decoder = nn.Sequential(nn.Linear(3, 10), nn.Tanh(), nn.Linear(10, 8))
        self.of_coder = torch.optim.SGD(self.coder.parameters(), lr=0.3)
        self.of_decoder = torch.optim.SGD(self.decoder.parameters(), lr=0.3)

    def parameters(self):
        return [*self.coder.parameters(), *self.decoder.parameters()]

    def clear(self):
        self.of_coder.zero_grad()
        self.of_decoder.zero_grad()


def slopes(decoder):
    return sum(p.square().sum() for n, p in decoder.named_parameters() if n.endswith("weight"))


def train(record):
    torch.manual_seed(68)
    pair = Pair()
    scaler = torch.amp.GradScaler("cpu", init_scale=32.0, growth_interval=4)
    mixing = torch.randn(3, 8)
    for _ in range(24):
        x = torch.randn(16, 3) @ mixing
        pair.clear()
        scaler.scale(F.mse_loss(pair.decoder(pair.coder(x)), x)).backward()
        scaler.scale(1e-3 * slopes(pair.decoder)).backward()
        scaler.step(pair.of_coder)
        scaler.update()
        scaler.step(pair.of_decoder)
        record(pair.parameters())


if __name__ == "__main__":
    train(lambda parameters: None)
