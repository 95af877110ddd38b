"""Each turn first settles the window that is full, then takes in the next micro-batch."""
import torch
from torch import nn

WINDOW = 3


class Settler:
    def __init__(self, net, lr, record):
        self.net = net
        self.record = record
        self.opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)

    def settle(self):
        self.opt.step()
        self.record(list(self.net.parameters()))
        self.opt.zero_grad()


def train(record):
    torch.manual_seed(23)
    net = nn.Sequential(nn.Linear(5, 10), nn.ReLU(), nn.Linear(10, 2))
    settler = Settler(net, 0.05, record)
    data = [torch.randn(6, 5) for _ in range(18)]
    for i, x in enumerate(data):
        if i > 0 and i % WINDOW == 0:
            settler.settle()
        target = torch.stack([x.sum(1), x.prod(1)], 1)
        loss = nn.functional.smooth_l1_loss(net(x), target)
        (loss / WINDOW).backward()
    settler.settle()


if __name__ == "__main__":
    train(lambda parameters: None)
