"""A predictor trained with a loss scale, and a linear probe that looks at its features."""
import torch
from torch import nn
from torch.nn import functional as F


def flush(opt):
    opt.step()
    opt.zero_grad()


class Pretext(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(6, 20), nn.ReLU())
        self.predict = nn.Linear(20, 6)

    def forward(self, x):
        return self.predict(self.features(x))


def masked(count):
    for _ in range(count):
        x = torch.randn(16, 1) * torch.ones(1, 6) + 0.2 * torch.randn(16, 6)
        mask = (torch.rand(16, 6) > 0.3).float()
        yield x, x * mask, (x.mean(1) > 0).long()


def train(record):
    torch.manual_seed(36)
    net, probe = Pretext(), nn.Linear(20, 2)
    net_opt = torch.optim.SGD(net.parameters(), lr=0.01)
    probe_opt = torch.optim.SGD(probe.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=16.0)
    weights = [*net.parameters(), *probe.parameters()]
    for whole, seen, sign in masked(30):
        scaler.scale(F.mse_loss(net(seen), whole)).backward()
        flush(net_opt)
        record(weights)

        with torch.no_grad():
            features = net.features(whole)
        F.cross_entropy(probe(features), sign).backward()
        flush(probe_opt)
        record(weights)


if __name__ == "__main__":
    train(lambda parameters: None)
