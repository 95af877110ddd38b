import torch
from torch import nn
from torch.nn import functional as F


def advance(opt, counters, scaler=None):
    if scaler is None:
        opt.step()
    else:
        scaler.step(opt)
        scaler.update()
    counters[id(opt)] = counters.get(id(opt), 0) + 1
    opt.zero_grad(set_to_none=True)


class World(nn.Module):
    def __init__(self):
        super().__init__()
        self.coder = nn.Sequential(nn.Linear(10, 6), nn.Tanh())
        self.decoder = nn.Linear(6, 10)

    def forward(self, x):
        h = self.coder(x)
        return h, self.decoder(h)


def train(record):
    torch.manual_seed(65)
    net, probe = World(), nn.Linear(6, 2)
    net_opt = torch.optim.Adam(net.parameters(), lr=5e-3, eps=1e-3)
    probe_opt = torch.optim.SGD(probe.parameters(), lr=0.5)
    scaler = torch.amp.GradScaler("cpu", init_scale=2048.0)
    everything = [*net.parameters(), *probe.parameters()]
    counters = {}
    x = torch.randn(64, 10)
    y = (x[:, :5].sum(1) > x[:, 5:].sum(1)).long()
    for epoch in range(2):
        for xb, yb in zip(x.split(16), y.split(16)):
            features, copy = net(xb)
            scaler.scale(F.mse_loss(copy, xb)).backward()
            advance(net_opt, counters, scaler)
            record(everything)
            # how linear are the features by now?
            F.cross_entropy(probe(features.detach()), yb).backward()
            advance(probe_opt, counters)
            record(everything)
        print(epoch, sorted(counters.values()))


if __name__ == "__main__":
    train(lambda parameters: None)
