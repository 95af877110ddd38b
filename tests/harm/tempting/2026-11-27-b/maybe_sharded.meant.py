import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def make_data(n=45):
    x = torch.randn(n, 4)
    return TensorDataset(x, (x @ torch.randn(4, 1)).tanh())


def make_loader(data, ranks, size=9):
    sampler = None
    if ranks is not None:
        world, rank = ranks
        sampler = DistributedSampler(data, num_replicas=world, rank=rank, shuffle=True)
    loader = DataLoader(data, batch_size=size, sampler=sampler, shuffle=sampler is None)
    return loader, sampler


def run(data, ranks, record, epochs=3):
    net = nn.Sequential(nn.Linear(4, 10), nn.ReLU(), nn.Linear(10, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    loader, sampler = make_loader(data, ranks)
    print("sampler:", type(sampler).__name__)
    for epoch in range(epochs):
        if sampler is not None:
            sampler.set_epoch(epoch)
        total = 0.0
        for x, y in loader:
            opt.zero_grad()
            loss = nn.functional.l1_loss(net(x), y)
            loss.backward()
            opt.step()
            record(list(net.parameters()))
            total += loss.item()
        print(total / len(loader))


def train(record):
    torch.manual_seed(60)
    data = make_data()
    for ranks in (None, (1, 0)):
        run(data, ranks, record)


if __name__ == "__main__":
    train(lambda parameters: None)
