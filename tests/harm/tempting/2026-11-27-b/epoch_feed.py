import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def feed(loader, first, epochs):
    """One walk over the data per epoch."""
    tell = getattr(loader.sampler, "set_epoch", lambda epoch: None)
    for number in range(first, first + epochs):
        tell(number)
        yield iter(loader)


def make_loader(n, size, seed):
    x = torch.randn(n, 3)
    data = TensorDataset(x, x.pow(2).sum(1, keepdim=True))
    sampler = DistributedSampler(data, num_replicas=1, rank=0, seed=seed)
    return DataLoader(data, batch_size=size, sampler=sampler)


def one_epoch(net, rms, walk, record):
    total = 0.0
    for x, y in walk:
        rms.zero_grad()
        loss = nn.functional.huber_loss(net(x), y)
        loss.backward()
        rms.step()
        record(list(net.parameters()))
        total += loss.item()
    return total


def train(record):
    torch.manual_seed(9)
    loader = make_loader(40, 8, seed=4)
    net = nn.Sequential(nn.Linear(3, 14), nn.Softplus(), nn.Linear(14, 1))
    rms = torch.optim.RMSprop(net.parameters(), lr=0.005)
    for walk in feed(loader, first=5, epochs=3):
        print(one_epoch(net, rms, walk, record))


if __name__ == "__main__":
    train(lambda parameters: None)
