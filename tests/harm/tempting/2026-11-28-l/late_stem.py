"""The stem sleeps for the first epochs and is handed to the optimizer when it wakes."""
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(4, 12)
        self.head = nn.Linear(12, 2)
        self.stem.requires_grad_(False)

    def forward(self, x):
        return self.head(torch.relu(self.stem(x)))


class Schedule:
    def __init__(self, net, opt, wake):
        self.net, self.opt, self.wake = net, opt, wake

    def begin(self, epoch):
        if epoch == self.wake:
            self.net.stem.requires_grad_(True)
            self.opt.add_param_group({"params": list(self.net.stem.parameters()), "lr": 0.5})


def train(record):
    torch.manual_seed(109)
    net = Net()
    trainable = filter(lambda p: p.requires_grad, net.parameters())
    opt = torch.optim.SGD(trainable, lr=0.5)
    schedule = Schedule(net, opt, wake=2)
    x = 3 * torch.randn(6, 16, 4)
    y = (x.sum(-1) > 0).long()
    for epoch in range(4):
        schedule.begin(epoch)
        for bx, by in zip(x, y):
            opt.zero_grad()
            F.cross_entropy(net(bx), by).backward()
            nn.utils.clip_grad_norm_(trainable, 0.1)
            opt.step()
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
