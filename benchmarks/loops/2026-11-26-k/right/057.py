import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def reshuffle(loader, epoch):
    sampler = getattr(loader, "sampler", None)
    if isinstance(sampler, DistributedSampler):
        sampler.set_epoch(epoch)


def fit(model, loaders, opt, epochs):
    for epoch in range(epochs):
        for loader in loaders.values():
            reshuffle(loader, epoch)
        model.train()
        for x, y in loaders["train"]:
            opt.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            opt.step()
        model.eval()
        with torch.no_grad():
            dev = [nn.functional.mse_loss(model(x), y).item() for x, y in loaders["dev"]]
        print(epoch, sum(dev) / len(dev))


if __name__ == "__main__":
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    torch.manual_seed(157)
    x = torch.randn(150, 6)
    sets = TensorDataset(x[:120], x[:120, :1] ** 3), TensorDataset(x[120:], x[120:, :1] ** 3)
    samplers = DistributedSampler(sets[0]), DistributedSampler(sets[1], shuffle=False)
    loaders = {k: DataLoader(d, 15, sampler=s) for k, d, s in zip(("train", "dev"), sets, samplers)}
    model = DistributedDataParallel(nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 1)))
    fit(model, loaders, torch.optim.Adam(model.parameters(), lr=1e-2), epochs=4)
    dist.destroy_process_group()
