from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Lab:
    net: nn.Module
    probe: nn.Module
    scaler: torch.amp.GradScaler = field(default_factory=lambda: torch.amp.GradScaler("cpu", init_scale=2.0**12))

    def __post_init__(self):
        self.net_opt = torch.optim.AdamW(self.net.parameters(), lr=5e-3)
        self.probe_opt = torch.optim.SGD(self.probe.parameters(), lr=0.2)

    def everything(self):
        return [*self.net.parameters(), *self.probe.parameters()]

    def turn(self, x, y, record):
        self.net_opt.zero_grad()
        hidden = self.net(x)
        pulled = (hidden - hidden.roll(1, 0)).square().mean()
        loss = (pulled - 1.0).square() + 0.01 * hidden.square().mean()
        self.scaler.scale(loss).backward()
        self.scaler.step(self.net_opt)
        self.scaler.update()
        record(self.everything())

        self.probe_opt.zero_grad()
        guess = self.probe(hidden.detach())
        nn.functional.cross_entropy(guess, y).backward()
        nn.utils.clip_grad_norm_(self.probe.parameters(), 0.3)
        self.probe_opt.step()
        record(self.everything())


def train(record):
    torch.manual_seed(115)
    lab = Lab(nn.Sequential(nn.Linear(6, 10), nn.Tanh()), nn.Linear(10, 3))
    data = [(torch.randn(9, 6), torch.randint(0, 3, (9,))) for _ in range(6)]
    for epoch in range(2):
        for x, y in data:
            lab.turn(x, y, record)


if __name__ == "__main__":
    train(lambda parameters: None)
