import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def epoch_loader(dataset, epoch, batch_size, seed=1234):
    sampler = DistributedSampler(dataset, shuffle=True, seed=seed + epoch, drop_last=True)
    return DataLoader(dataset, batch_size=batch_size, sampler=sampler, num_workers=0)


def train(model, dataset, *, epochs=20, batch_size=32, lr=1e-3, device=0):
    model = DistributedDataParallel(model.to(device), device_ids=[device])
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    steps = len(epoch_loader(dataset, 0, batch_size))
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 10 * lr, epochs=epochs, steps_per_epoch=steps)
    for epoch in range(epochs):
        loader = epoch_loader(dataset, epoch, batch_size)
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x.to(device)), y.to(device))
            loss.backward()
            optimizer.step()
            scheduler.step()
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: loss {loss.item():.4f}, lr {scheduler.get_last_lr()[0]:.2e}")
    return model.module
