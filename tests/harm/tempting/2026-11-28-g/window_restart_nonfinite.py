import torch
from torch import nn


class Forecaster:
    def __init__(self, record, accum=3):
        self.net = nn.Sequential(nn.Linear(6, 8), nn.Softplus(), nn.Linear(8, 2))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-2)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
        self.accum, self.record = accum, record
        self.pending, self.dropped = 0, 0

    def nll(self, x, y):
        mean, raw = self.net(x).chunk(2, dim=1)
        scale = nn.functional.softplus(raw) + 1e-3
        return (scale.log() + 0.5 * ((y - mean) / scale).pow(2)).mean()

    def feed(self, x, y):
        loss = self.nll(x, y)
        if not torch.isfinite(loss):
            self.opt.zero_grad()
            self.pending = 0
            self.dropped += 1
            return
        self.scaler.scale(loss / self.accum).backward()
        self.pending += 1
        if self.pending < self.accum:
            return
        self.scaler.unscale_(self.opt)
        nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
        self.scaler.step(self.opt)
        self.scaler.update()
        self.record(list(self.net.parameters()))
        self.opt.zero_grad()
        self.pending = 0


def train(record):
    torch.manual_seed(31)
    model = Forecaster(record)
    xs = torch.randn(14, 8, 6)
    ys = xs.mean(-1, keepdim=True) + 0.1 * torch.randn(14, 8, 1)
    xs[4, 0, 0] = float("nan")
    for _ in range(2):
        for x, y in zip(xs, ys):
            model.feed(x, y)
    print("dropped", model.dropped)


if __name__ == "__main__":
    train(lambda parameters: None)
