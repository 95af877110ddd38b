"""Warms up batch by batch, and goes on in windows."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Learner:
    def __init__(self, net, window, limit, record):
        self.net, self.window, self.limit, self.record = net, window, limit, record
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)

    def take_in(self, x, y, share=1.0):
        loss = nn.functional.mse_loss(self.net(x), y)
        (share * loss).backward()
        clip_grad_norm_(self.net.parameters(), self.limit)
        return loss.item()

    def move(self):
        self.opt.step()
        self.record(list(self.net.parameters()))
        self.opt.zero_grad()

    def warm_up(self, batches):
        for x, y in batches:
            self.take_in(x, y)
            self.move()

    def go_on(self, batches):
        for n, (x, y) in enumerate(batches, start=1):
            self.take_in(x, y, share=1 / self.window)
            if n % self.window == 0 or n == len(batches):
                self.move()


def train(record):
    torch.manual_seed(83)
    batches = [(x, 3 * x.sum(1, keepdim=True)) for x in torch.randn(18, 6, 4)]
    net = nn.Sequential(nn.Linear(4, 10), nn.Tanh(), nn.Linear(10, 1))
    learner = Learner(net, window=4, limit=0.2, record=record)
    learner.warm_up(batches[:4])
    learner.go_on(batches[4:])


if __name__ == "__main__":
    train(lambda parameters: None)
