"""Semi-supervised: the small labelled deck sets the epoch, the other goes round on its own."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def deck(*tensors, size):
    data = TensorDataset(*tensors)
    sampler = DistributedSampler(data, num_replicas=1, rank=0, shuffle=True)
    return DataLoader(data, batch_size=size, sampler=sampler)


def round_and_round(loader):
    while True:
        for (batch,) in loader:
            yield batch


def train(record):
    torch.manual_seed(209)
    x = torch.randn(40, 6)
    labelled = deck(x, (x[:, 0] * x[:, 1] > 0).long(), size=8)
    unlabelled = deck(torch.randn(36, 6), size=12)
    net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    others = round_and_round(unlabelled)
    for epoch in range(6):
        labelled.sampler.set_epoch(epoch)
        for batch, y in labelled:
            free = next(others)
            opt.zero_grad()
            sure = net(free).softmax(1)
            entropy = -(sure * sure.clamp_min(1e-6).log()).sum(1).mean()
            (F.cross_entropy(net(batch), y) + 0.3 * entropy).backward()
            opt.step()
            record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
