import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


class FlowNet(nn.Module):
    def __init__(self, dim: int, width: int = 256):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim + 1, width), nn.SiLU(), nn.Dropout(0.1), nn.Linear(width, dim))

    def forward(self, x, t):
        return self.net(torch.cat([x, t], dim=1))

    def matching_loss(self, x1):
        x0 = torch.randn_like(x1)
        t = torch.rand(x1.size(0), 1, device=x1.device)
        xt = (1 - t) * x0 + t * x1
        return (self(xt, t) - (x1 - x0)).square().mean()


def evaluate(model, loader, device):
    model.eval
    total = torch.zeros(2, device=device)
    for (x,) in loader:
        x = x.to(device)
        t = torch.full((x.size(0), 1), 0.5, device=device)
        total[0] += (model(x, t) - x).square().mean().item()
        total[1] += 1
    dist.all_reduce(total)
    model.train()
    return (total[0] / total[1]).item()


def main(train_set, val_set, epochs=100):
    dist.init_process_group("nccl")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    model = DDP(FlowNet(dim=2).to(device), device_ids=[device.index])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    sampler = DistributedSampler(train_set, shuffle=True)
    loader = DataLoader(train_set, 512, sampler=sampler)
    val_loader = DataLoader(val_set, 512, sampler=DistributedSampler(val_set, shuffle=False))
    model.train()
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for (x,) in loader:
            loss = model.module.matching_loss(x.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        score = evaluate(model, val_loader, device)
        if dist.get_rank() == 0:
            print(epoch, loss.item(), score)
