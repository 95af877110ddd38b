"""A prefetcher around a loader with a batch sampler, as on a cluster, here with one rank."""
from collections import deque

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler, TensorDataset


class Prefetcher:
    def __init__(self, loader, ahead=2):
        self.loader, self.ahead = loader, ahead

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        waiting = deque()
        for batch in self.loader:
            waiting.append(batch)
            if len(waiting) > self.ahead:
                yield waiting.popleft()
        yield from waiting


def make_feed(dataset, size):
    order = DistributedSampler(dataset, num_replicas=1, rank=0, seed=12)
    batches = BatchSampler(order, size, drop_last=False)
    return Prefetcher(DataLoader(dataset, batch_sampler=batches))


def train(record, epochs=4):
    torch.manual_seed(32)
    x = torch.randn(40, 3)
    feed = make_feed(TensorDataset(x, x.norm(dim=1, keepdim=True)), size=8)
    net = nn.Sequential(nn.Linear(3, 16), nn.Softplus(), nn.Linear(16, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(epochs):
        feed.loader.batch_sampler.sampler.set_epoch(epoch)
        for inputs, targets in feed:
            opt.zero_grad()
            F.l1_loss(net(inputs), targets).backward()
            opt.step()
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
