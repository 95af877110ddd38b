import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Parabola(Dataset):
    def __init__(self, n):
        self.x = torch.linspace(-1, 1, n)[:, None]
        self.y = self.x.pow(2)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, at):
        return self.x[at], self.y[at]


def get_loader(dataset, distributed):
    sampler = DistributedSampler(dataset, num_replicas=1, rank=0) if distributed else None
    loader = DataLoader(dataset, batch_size=8, shuffle=sampler is None, sampler=sampler)
    return loader, sampler


def run(net, distributed, first, last, record):
    loader, sampler = get_loader(Parabola(32), distributed)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.5)
    for epoch in range(first, last):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(x), y)
            loss.backward()
            optimizer.step()
            record(list(net.parameters()))
        print(distributed, epoch, loss.item())


def train(record):
    torch.manual_seed(26)
    net = nn.Sequential(nn.Linear(1, 12), nn.Tanh(), nn.Linear(12, 1))
    run(net, distributed=False, first=0, last=2, record=record)
    run(net, distributed=True, first=0, last=3, record=record)


if __name__ == "__main__":
    train(lambda parameters: None)
