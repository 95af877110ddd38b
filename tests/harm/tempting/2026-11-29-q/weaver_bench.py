"""The constant SPAN was the window once; today it is how many updates the rate rests."""
import torch
from torch import nn

SPAN = 4
WINDOW = 8


class Bench:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(5, 10), nn.Tanh(), nn.Linear(10, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.2)
        self.rest = torch.optim.lr_scheduler.StepLR(self.opt, SPAN, 0.8)

    def loss(self, x):
        return nn.functional.mse_loss(self.net(x), x.pow(2).mean(1, keepdim=True))

    def weave(self, threads, record):
        for n, x in enumerate(threads, 1):
            loss = self.loss(x) / SPAN
            loss.backward()
            if n % WINDOW == 0 or n == len(threads):
                self.opt.step()
                record(list(self.net.parameters()))
                self.rest.step()
                self.opt.zero_grad()


def train(record):
    torch.manual_seed(66)
    bench = Bench()
    for _ in range(4):
        bench.weave([torch.randn(6, 5) for _ in range(32)], record)


if __name__ == "__main__":
    train(lambda parameters: None)
