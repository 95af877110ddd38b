import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class StalePipeline:
    """Each update applies the gradient of the batch before, as a two stage pipeline does."""

    def __init__(self, net, lr, max_norm):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.8)
        self.max_norm = max_norm
        self.waiting = False

    def apply_waiting(self, record):
        clip_grad_norm_(self.net.parameters(), self.max_norm)
        self.optimizer.step()
        self.optimizer.zero_grad()
        record(list(self.net.parameters()))
        self.waiting = False

    def run(self, batches, record):
        total = 0.0
        for x, y in batches:
            loss = nn.functional.smooth_l1_loss(self.net(x), y)
            if self.waiting:
                clip_grad_norm_(self.net.parameters(), self.max_norm)
                self.optimizer.step()
                self.optimizer.zero_grad()
                record(list(self.net.parameters()))
            loss.backward()
            self.waiting = True
            total += loss.item()
        if self.waiting:
            self.apply_waiting(record)
        return total / len(batches)


def train(record):
    torch.manual_seed(601)
    x = torch.randn(80, 5)
    y = 4.0 * torch.sin(x).sum(1, keepdim=True)
    net = nn.Linear(5, 1)
    pipe = StalePipeline(net, lr=0.05, max_norm=0.5)
    batches = list(zip(x.split(8), y.split(8)))
    for epoch in range(3):
        print(epoch, pipe.run(batches, record))


if __name__ == "__main__":
    train(lambda parameters: None)
