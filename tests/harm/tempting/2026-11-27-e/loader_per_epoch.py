import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

BASE_SEED = 1000


def make_dataset(rows):
    x = torch.randn(rows, 3)
    return TensorDataset(x, (x @ torch.tensor([[1.0], [-2.0], [0.5]])).tanh())


class Data:
    def __init__(self, dataset, size):
        self.dataset, self.size = dataset, size

    def loader(self, seed):
        sampler = DistributedSampler(self.dataset, shuffle=True, seed=seed)
        return DataLoader(self.dataset, batch_size=self.size, sampler=sampler)


def train_epoch(model, loader, optimizer, record):
    losses = []
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        record(list(model.parameters()))
        losses.append(loss.detach())
    return torch.stack(losses).mean().item()


def train(record):
    torch.manual_seed(6)
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        data = Data(make_dataset(40), size=8)
        model = DDP(nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1)))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for epoch in range(3):
            loader = data.loader(BASE_SEED + epoch)
            print(epoch, round(train_epoch(model, loader, optimizer, record), 5))
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
