"""A linear probe is trained beside the network, on features that it must not change."""
import torch
from torch import nn
from torch.nn import functional as F


def apply(opt, params, record):
    opt.step()
    record(params)
    opt.zero_grad()


class Pair:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(6, 8), nn.Tanh())
        self.probe = nn.Linear(8, 2)
        self.net_opt = torch.optim.SGD(self.net.parameters(), lr=0.02)
        self.probe_opt = torch.optim.SGD(self.probe.parameters(), lr=0.2)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=32.0, growth_interval=1000)

    def turn(self, x, y, record):
        with torch.autocast("cpu", dtype=torch.float16):
            features = self.net(x)
        spread = torch.cdist(features.float(), features.float())
        loss = F.mse_loss(spread, torch.cdist(x, x))
        self.scaler.scale(loss).backward()
        apply(self.net_opt, list(self.net.parameters()), record)
        fitted = F.cross_entropy(self.probe(features.detach().float()), y)
        fitted.backward()
        apply(self.probe_opt, list(self.probe.parameters()), record)


def train(record):
    torch.manual_seed(131)
    pair = Pair()
    for _ in range(12):
        x = torch.randn(10, 6)
        pair.turn(x, (x[:, 0] > 0).long(), record)


if __name__ == "__main__":
    train(lambda parameters: None)
