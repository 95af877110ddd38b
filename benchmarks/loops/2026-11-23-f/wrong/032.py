import torch
from torch import nn


class Accumulator:
    def __init__(self, optimizer, every):
        self.optimizer = optimizer
        self.every = every
        self.count = 0

    def backward(self, loss):
        (loss / self.every).backward()
        self.count += 1
        if self.count > self.every:
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.count = 0


def batches(n):
    for _ in range(n):
        x = torch.randn(10, 6)
        yield x, x.abs().sum(1, keepdim=True)


def main():
    torch.manual_seed(3)
    net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
    acc = Accumulator(torch.optim.SGD(net.parameters(), lr=0.01), every=4)
    for i, (x, y) in enumerate(batches(60)):
        loss = nn.functional.mse_loss(net(x), y)
        acc.backward(loss)
        if i % 20 == 0:
            print(i, loss.item())


if __name__ == "__main__":
    main()
