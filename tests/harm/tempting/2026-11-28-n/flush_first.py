"""Letters of an archive: a bundle is closed when the first letter of the next one comes."""
import torch
from torch import nn
from torch.nn import functional as F

BUNDLE = 4


def letters(count):
    gen = torch.Generator().manual_seed(44)
    for _ in range(count):
        ink = torch.randn(5, 6, generator=gen)
        yield ink, (ink[:, 0] * ink[:, 1] > 0).float()


class Bundle:
    def __init__(self, net, record):
        self.net, self.record = net, record
        self.optimizer = torch.optim.Adam(net.parameters(), lr=0.02)

    def add(self, ink, hand):
        loss = F.binary_cross_entropy_with_logits(self.net(ink).squeeze(1), hand)
        (loss / BUNDLE).backward()

    def close(self):
        self.optimizer.step()
        self.record(list(self.net.parameters()))
        self.optimizer.zero_grad()


def train(record):
    torch.manual_seed(19)
    bundle = Bundle(nn.Sequential(nn.Linear(6, 10), nn.Tanh(), nn.Linear(10, 1)), record)
    for i, (ink, hand) in enumerate(letters(28)):
        if i > 0 and i % BUNDLE == 0:
            bundle.close()
        bundle.add(ink, hand)
    bundle.close()


if __name__ == "__main__":
    train(lambda parameters: None)
