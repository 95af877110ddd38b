"""Each epoch the logits of the held-out set are gathered, then a temperature is fitted to them."""
import torch
from torch import nn


class Gauge:
    def __init__(self, net, held):
        self.net, self.held = net, held
        self.warmth = nn.Parameter(torch.ones(1))

    def calibrate(self):
        self.net.eval()
        logits, labels = [], []
        with torch.no_grad():
            for x, y in self.held:
                logits.append(self.net(x))
                labels.append(y)
        logits, labels = torch.cat(logits).detach(), torch.cat(labels)
        turn = torch.optim.SGD([self.warmth], lr=0.1)
        for _ in range(3):
            turn.zero_grad()
            nn.functional.cross_entropy(logits / self.warmth, labels).backward()
            turn.step()
        self.net.train()


def train(record):
    torch.manual_seed(72)
    net = nn.Sequential(nn.Linear(4, 10), nn.Dropout(0.2), nn.ReLU(), nn.Linear(10, 3))
    opt = torch.optim.Adam(net.parameters(), lr=0.02)
    batch = lambda: (x := torch.randn(12, 4), x[:, :3].argmax(1))
    gauge = Gauge(net, [batch() for _ in range(4)])
    for n in range(40):
        x, y = batch()
        opt.zero_grad()
        nn.functional.cross_entropy(net(x) / gauge.warmth.detach(), y).backward()
        opt.step()
        record([*net.parameters(), gauge.warmth])
        if n % 10 == 9:
            gauge.calibrate()


if __name__ == "__main__":
    train(lambda parameters: None)
