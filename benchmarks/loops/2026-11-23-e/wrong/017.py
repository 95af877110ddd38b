import os
import torch
from torch import distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

for key, val in dict(MASTER_ADDR="localhost", MASTER_PORT="29533", RANK="0", WORLD_SIZE="1").items():
    os.environ.setdefault(key, val)

ACCUM = 4
EPOCHS = 2


def get_loader():
    ds = TensorDataset(torch.randn(144, 3, 8, 8), torch.randint(0, 4, (144,)))
    sampler = DistributedSampler(ds, shuffle=True, drop_last=True)
    return DataLoader(ds, batch_size=8, sampler=sampler), sampler


def build_model():
    return nn.Sequential(
        nn.Conv2d(3, 8, 3), nn.GroupNorm(2, 8), nn.ReLU(),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 4),
    )


def worker():
    dist.init_process_group(backend="gloo")
    rank = dist.get_rank()
    model = DistributedDataParallel(build_model())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    loss_fn = nn.CrossEntropyLoss()
    loader, sampler = get_loader()

    for epoch in range(EPOCHS):
        sampler.set_epoch(epoch)
        model.train()
        optimizer.zero_grad()
        for i, (img, lab) in enumerate(loader):
            loss = loss_fn(model(img), lab) / ACCUM
            loss.backward()
            last = i + 1 == len(loader)
            if (i + 1) % ACCUM == 0 or last:
                optimizer.step()
                optimizer.zero_grad()
        if rank == 0:
            print(f"epoch {epoch}: last loss {loss.item() * ACCUM:.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    worker()
