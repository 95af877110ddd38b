"""A half-precision network with an auxiliary loss, and a linear probe that is watched beside it."""
import torch
from torch import nn
from torch.nn import functional as F


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(10, 20), nn.ReLU())
        self.label = nn.Linear(20, 4)
        self.rebuild = nn.Linear(20, 10)

    def forward(self, x):
        h = self.stem(x)
        return h, self.label(h), self.rebuild(h)


class Meter:
    def __init__(self):
        self.sums = {}

    def push(self, name, loss, scaler=None):
        """Backward of one loss, and its number for the table."""
        (loss if scaler is None else scaler.scale(loss)).backward()
        self.sums[name] = self.sums.get(name, 0.0) + loss.item()


def train(record):
    torch.manual_seed(90)
    net, probe = Backbone(), nn.Linear(20, 2)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    probe_opt = torch.optim.SGD(probe.parameters(), lr=0.05)
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
    meter = Meter()
    for x in torch.randn(20, 16, 10):
        y, parity = x[:, :4].argmax(1), (x[:, 9] > 0).long()
        opt.zero_grad()
        probe_opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            h, logits, rebuilt = net(x)
        main, extra = F.cross_entropy(logits.float(), y), F.mse_loss(rebuilt.float(), x)
        scaler.scale(main).backward(retain_graph=True)
        meter.push("rebuild", 0.5 * extra, scaler)
        scaler.step(opt)
        scaler.update()
        record(list(net.parameters()))

        meter.push("probe", F.cross_entropy(probe(h.detach().float()), parity))
        probe_opt.step()
        record(list(probe.parameters()))
    print(meter.sums)


if __name__ == "__main__":
    train(lambda parameters: None)
