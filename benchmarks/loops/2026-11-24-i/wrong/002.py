import torch
from torch import nn


class Collector:
    def __init__(self, net, lr, gather):
        self.net = net
        self.gather = gather
        self.opt = torch.optim.SGD(net.parameters(), lr=lr)
        self.pending = 0

    def push(self, x, y):
        loss = nn.functional.mse_loss(self.net(x), y)
        loss.backward()
        self.pending += 1
        if self.pending == self.gather:
            self.flush()
        return float(loss)

    def flush(self):
        self.opt.step()
        self.opt.zero_grad()
        self.pending = 0


def main():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Linear(12, 1))
    c = Collector(net, 0.01, gather=6)
    for rounds in range(3):
        total = 0.0
        for _ in range(12):
            x = torch.randn(8, 5)
            total += c.push(x, x.sum(1, keepdim=True))
        print(rounds, total)


if __name__ == "__main__":
    main()
