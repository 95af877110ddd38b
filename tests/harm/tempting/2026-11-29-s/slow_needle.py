"""The needle moves with every micro-batch, but its dial has one mark for a whole window of them."""
import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

WINDOW = 3
DROP = 0.93


def dial(micro):
    return DROP ** (micro // WINDOW)


class Loom:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(6, 6), nn.Tanh(), nn.Linear(6, 2))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.5)
        self.needle = LambdaLR(self.opt, dial)

    def weave(self, threads, record):
        for pick, (x, y) in enumerate(threads, start=1):
            loss = nn.functional.cross_entropy(self.net(x), y)
            (loss / WINDOW).backward()
            if pick % WINDOW == 0:
                self.opt.step()
                record(list(self.net.parameters()))
                self.opt.zero_grad()
            self.needle.step()


def train(record):
    torch.manual_seed(818)
    x = torch.randn(18, 10, 6)
    threads = [(warp, (warp[:, 0] > warp[:, 1]).long()) for warp in x]
    loom = Loom()
    for cloth in range(6):
        loom.weave(threads, record)


if __name__ == "__main__":
    train(lambda parameters: None)
