import torch
from torch import nn


class OnlineLearner:
    """Consumes a stream of measurements and updates now and then."""

    def __init__(self, net, window):
        self.net = net
        self.window = window
        self.opt = torch.optim.SGD(net.parameters(), lr=0.05)
        self.pending = 0
        self.updates = 0

    def observe(self, x, y):
        loss = nn.functional.smooth_l1_loss(self.net(x), y)
        (loss / self.window).backward()
        self.pending += 1
        if self.pending > self.window:
            self.flush()
        return loss.item()

    def flush(self):
        self.opt.step()
        self.opt.zero_grad()
        self.pending = 0
        self.updates += 1


def sensor(n):
    g = torch.Generator().manual_seed(29)
    for _ in range(n):
        x = torch.randn(8, 4, generator=g)
        yield x, x.prod(1, keepdim=True)


learner = OnlineLearner(nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1)), window=5)
last = [learner.observe(x, y) for x, y in sensor(90)]
if learner.pending:
    learner.flush()
print(learner.updates, sum(last[-10:]) / 10)
