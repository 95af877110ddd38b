"""A quilt: basted patch by patch, and then sewn in blocks of four."""
import torch
from torch import nn
from torch.nn import functional as F

BLOCK = 4


def patches(count, seed):
    gen = torch.Generator().manual_seed(seed)
    for _ in range(count):
        cloth = torch.randn(6, 4, generator=gen)
        yield cloth, torch.sin(cloth[:, :2])


class Quilter:
    def __init__(self):
        self.hand = nn.Sequential(nn.Linear(4, 9), nn.Mish(), nn.Linear(9, 2))
        self.optimizer = torch.optim.Adam(self.hand.parameters(), lr=0.02)

    def stitch(self, cloth, pattern, share):
        loss = F.mse_loss(self.hand(cloth), pattern)
        (share * loss).backward()
        return loss.item()

    def baste(self, record):
        for cloth, pattern in patches(8, 3):
            self.optimizer.zero_grad()
            self.stitch(cloth, pattern, 1.0)
            self.optimizer.step()
            record(list(self.hand.parameters()))

    def sew(self, record):
        self.optimizer.zero_grad()
        for n, (cloth, pattern) in enumerate(patches(6 * BLOCK, 4), start=1):
            self.stitch(cloth, pattern, 1 / BLOCK)
            if n % BLOCK == 0:
                self.optimizer.step()
                record(list(self.hand.parameters()))
                self.optimizer.zero_grad()


def train(record):
    torch.manual_seed(22)
    quilter = Quilter()
    quilter.baste(record)
    quilter.sew(record)


if __name__ == "__main__":
    train(lambda parameters: None)
