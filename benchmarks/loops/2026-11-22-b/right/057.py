import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import ConcatDataset, DataLoader
from torch.utils.data.distributed import DistributedSampler

from curriculum.data import by_difficulty, web_pairs
from curriculum.model import Matcher


def loader_for(dataset, batch, shuffle):
    sampler = DistributedSampler(dataset, shuffle=shuffle)
    return DataLoader(dataset, batch_size=batch, sampler=sampler, num_workers=2)


def step(model, optimizer, batch, device):
    left, right, score = (t.to(device) for t in batch)
    optimizer.zero_grad()
    loss = F.mse_loss(model(left, right).squeeze(-1), score)
    loss.backward()
    optimizer.step()
    return loss.item()


def pretrain(model, optimizer, device):
    model.train()
    loader = loader_for(web_pairs(), 256, shuffle=True)
    for i, batch in enumerate(loader):
        value = step(model, optimizer, batch, device)
        if i % 500 == 0 and device.index == 0:
            print("pretrain", i, value)


def curriculum(model, optimizer, device, epochs):
    ordered = ConcatDataset(by_difficulty())
    loader = loader_for(ordered, 64, shuffle=False)
    decay = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.8)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for batch in loader:
            total += step(model, optimizer, batch, device)
        decay.step()
        if device.index == 0:
            print("curriculum", epoch, total / len(loader))


def main():
    dist.init_process_group("nccl")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    model = DDP(Matcher().to(device), device_ids=[device.index])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    pretrain(model, optimizer, device)
    curriculum(model, optimizer, device, epochs=5)
    if device.index == 0:
        torch.save(model.module.state_dict(), "matcher.pt")


if __name__ == "__main__":
    main()
