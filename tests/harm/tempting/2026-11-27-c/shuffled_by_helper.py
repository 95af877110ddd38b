import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class Parity(Dataset):
    def __init__(self, n, bits):
        self.x = torch.randint(0, 2, (n, bits)).float()
        self.y = self.x.sum(1).remainder(2)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, k):
        return self.x[k], self.y[k]


def get_loader(dataset, distributed, batch_size=12):
    sampler = DistributedSampler(dataset, num_replicas=1, rank=0, seed=4) if distributed else None
    return DataLoader(dataset, batch_size=batch_size, sampler=sampler, shuffle=sampler is None)


class Hooks:
    def __init__(self, loaders):
        self.loaders = loaders

    def before_epoch(self, number):
        for loader in self.loaders:
            announce = getattr(loader.sampler, "set_epoch", None)
            if announce is not None:
                announce(number)


def fit(net, loader, epochs, record):
    opt = torch.optim.NAdam(net.parameters(), lr=4e-3)
    hooks = Hooks([loader])
    for number in range(epochs):
        hooks.before_epoch(number)
        for x, y in loader:
            opt.zero_grad()
            logit = net(x).squeeze(1)
            nn.functional.binary_cross_entropy_with_logits(logit, y).backward()
            opt.step()
            record(list(net.parameters()))


def train(record):
    torch.manual_seed(31)
    data = Parity(60, 5)
    net = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 1))
    fit(net, get_loader(data, distributed=True), 2, record)
    fit(net, get_loader(data, distributed=False), 1, record)


if __name__ == "__main__":
    train(lambda parameters: None)
