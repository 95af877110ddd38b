"""Every pass gets a sampler of its own, seeded with the pass."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler

SEED = 1000


class Spiral(Dataset):
    def __init__(self, n=96):
        t = torch.linspace(0.2, 6, n)
        self.label = torch.arange(n) % 2
        sign = 1 - 2 * self.label
        self.points = torch.stack([t * torch.cos(t) * sign, t * torch.sin(t) * sign], 1) / 6

    def __len__(self):
        return len(self.points)

    def __getitem__(self, index):
        return self.points[index], self.label[index]


def loader_for(dataset, number):
    sampler = DistributedSampler(dataset, num_replicas=1, rank=0, shuffle=True, seed=SEED + number)
    return DataLoader(dataset, batch_size=16, sampler=sampler)


def train(record):
    torch.manual_seed(0)
    dataset = Spiral()
    net = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 2))
    opt = torch.optim.Adagrad(net.parameters(), lr=0.05)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    for epoch in range(4):
        for x, y in loader_for(dataset, epoch):
            opt.zero_grad()
            criterion(net(x), y).backward()
            opt.step()
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
