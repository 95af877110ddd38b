import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

VIEWS = 2


def jitter(x):
    return x + 0.2 * torch.randn_like(x)


class Fitter:
    def __init__(self, accelerator, net, optimizer, loader, accum):
        self.accelerator, self.accum = accelerator, accum
        self.net, self.optimizer, self.loader = accelerator.prepare(net, optimizer, loader)

    def epoch(self, record):
        self.optimizer.zero_grad()
        for n, (x, y) in enumerate(self.loader, start=1):
            for _ in range(VIEWS):
                loss = nn.functional.cross_entropy(self.net(jitter(x)), y)
                self.accelerator.backward(loss / (self.accum * VIEWS))
            if n % self.accum == 0 or n == len(self.loader):
                self.optimizer.step()
                self.optimizer.zero_grad()
                record(list(self.net.parameters()))
        return loss.item()


def train(record):
    torch.manual_seed(617)
    x = torch.randn(66, 4)
    y = (x[:, 0] > x[:, 1:].max(1).values).long()
    net = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 2))
    fitter = Fitter(
        Accelerator(cpu=True),
        net,
        torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.8),
        DataLoader(TensorDataset(x, y), batch_size=6),
        accum=3,
    )
    for epoch in range(3):
        fitter.accelerator.print(epoch, fitter.epoch(record))


if __name__ == "__main__":
    train(lambda parameters: None)
