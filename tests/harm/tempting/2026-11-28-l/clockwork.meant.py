"""A clock drives what changes over time: noise on the inputs, how hard the samples are, the rate."""
import torch
from torch import nn
from torch.optim.lr_scheduler import LinearLR

WINDOW, BATCHES = 4, 48
UPDATES = BATCHES // WINDOW


class Clock:
    def __init__(self, sched):
        self.sched, self.seen = sched, 0

    @property
    def noise(self):
        return 0.5 * (1 - self.seen / BATCHES)

    @property
    def reach(self):
        return 0.5 + 2.0 * self.seen / BATCHES

    def tick(self):
        self.seen += 1


def train(record):
    torch.manual_seed(105)
    net = nn.Sequential(nn.Linear(2, 24), nn.GELU(), nn.Linear(24, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.3)
    opt.register_step_post_hook(lambda *_: record(list(net.parameters())))
    clock = Clock(LinearLR(opt, start_factor=1.0, end_factor=0.05, total_iters=UPDATES))
    for i in range(BATCHES):
        x = clock.reach * torch.randn(16, 2)
        y = torch.sin(x[:, :1]) * x[:, 1:]
        noisy = x + clock.noise * torch.randn_like(x)
        (nn.functional.huber_loss(net(noisy), y) / WINDOW).backward()
        if i % WINDOW == WINDOW - 1:
            opt.step()
            clock.sched.step()
            opt.zero_grad()
        clock.tick()


if __name__ == "__main__":
    train(lambda parameters: None)
