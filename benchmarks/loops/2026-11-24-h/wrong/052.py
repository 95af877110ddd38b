import argparse
from collections import defaultdict

import torch
import torch.nn as nn


class Meter(defaultdict):
    def __init__(self):
        super().__init__(list)

    def show(self, tag):
        print(tag, {k: round(sum(v) / len(v), 4) for k, v in self.items()})


class Engine:
    def __init__(self, net, opt, use_amp, device):
        self.net, self.opt, self.device = net.to(device), opt, device
        self.use_amp = use_amp
        self.scaler = torch.amp.GradScaler(device, enabled=use_amp)
        self.meter = Meter()

    def grad_stats(self):
        self.scaler.unscale_(self.opt)
        norms = [p.grad.norm() for p in self.net.parameters() if p.grad is not None]
        self.meter["gnorm"].append(torch.stack(norms).norm().item())

    def clip(self, limit):
        self.scaler.unscale_(self.opt)
        nn.utils.clip_grad_norm_(self.net.parameters(), limit)

    def iterate(self, x, y, limit):
        x, y = x.to(self.device), y.to(self.device)
        self.opt.zero_grad()
        with torch.autocast(self.device, dtype=torch.float16, enabled=self.use_amp):
            loss = nn.functional.cross_entropy(self.net(x), y)
        self.scaler.scale(loss).backward()
        self.grad_stats()
        self.clip(limit)
        self.scaler.step(self.opt)
        self.scaler.update()
        self.meter["loss"].append(loss.item())


def main(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--clip", type=float, default=1.0)
    args = ap.parse_args(argv)
    torch.manual_seed(8)
    gpu = torch.cuda.is_available()
    net = nn.Sequential(nn.Flatten(), nn.Linear(64, 48), nn.ReLU(), nn.Linear(48, 10))
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)
    engine = Engine(net, opt, gpu, "cuda" if gpu else "cpu")
    images, digits = torch.rand(160, 1, 8, 8), torch.randint(0, 10, (160,))
    for ep in range(args.epochs):
        for pick in torch.randperm(160).split(32):
            engine.iterate(images[pick], digits[pick], args.clip)
        engine.meter.show(f"epoch {ep}")
        engine.meter.clear()


if __name__ == "__main__":
    main()
