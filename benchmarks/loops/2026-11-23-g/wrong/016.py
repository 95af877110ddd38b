"""Sleep-stage classification from two-channel signals (AMP)."""
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

LOG_EVERY = 4


class SignalNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv1d(2, 8, 5, stride=2), nn.ReLU(), nn.Conv1d(8, 8, 5, stride=2), nn.ReLU())
        self.pool = nn.AdaptiveAvgPool1d(1)
        self.cls = nn.Linear(8, 5)

    def forward(self, signal):
        return self.cls(self.pool(self.features(signal)).flatten(1))


class Engine(object):
    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler(device="cpu", init_scale=2.0 ** 8)
        self.ce = nn.CrossEntropyLoss()
        self.iteration = 0

    def step(self, signal, stage):
        self.opt.zero_grad()
        with torch.amp.autocast("cpu", dtype=torch.float16):
            out = self.net(signal)
        loss = self.ce(out.float(), stage)
        self.scaler.scale(loss).backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
        self.scaler.step(self.opt)
        self.iteration += 1
        if self.iteration % LOG_EVERY == 0:
            print(f"it {self.iteration} loss {loss.item():.4f} scale {self.scaler.get_scale():.0f}")
            self.scaler.update()
        return loss.item()

    def epoch(self, loader):
        self.net.train()
        values = [self.step(signal, stage) for signal, stage in loader]
        return sum(values) / len(values)


def main():
    torch.manual_seed(21)
    stages = torch.randint(0, 5, (48,))
    signals = torch.randn(48, 2, 40) + stages[:, None, None] * 0.3
    loader = DataLoader(TensorDataset(signals, stages), batch_size=8, shuffle=True, drop_last=True)
    engine = Engine(SignalNet(), lr=3e-3)
    for epoch in range(2):
        print("epoch", epoch, "mean", round(engine.epoch(loader), 4))


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as exc:
        print("aborted:", exc, file=sys.stderr)
