from contextlib import contextmanager

from torch.optim import Adam
from torch.optim.lr_scheduler import StepLR


class Player:
    def __init__(self, net, lr, decay):
        self.net = net
        self.opt = Adam(net.parameters(), lr=lr, betas=(0.0, 0.9))
        self.sched = StepLR(self.opt, decay["every"], decay["gamma"])

    @property
    def rate(self):
        return self.sched.get_last_lr()[0]

    def turn(self, loss):
        loss.backward()
        self.opt.step()
        self.opt.zero_grad()
        return loss.item()


@contextmanager
def frozen(net):
    net.requires_grad_(False)
    try:
        yield net
    finally:
        net.requires_grad_(True)
