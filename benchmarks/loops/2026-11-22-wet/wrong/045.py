import contextlib

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def train(rank, dataset, net, epochs=100, accum=4):
    model = DDP(net.to(rank), device_ids=[rank])
    sampler = DistributedSampler(dataset, shuffle=True)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler, pin_memory=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.4, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [30, 60, 90], gamma=0.1)
    n = len(loader)

    for epoch in range(epochs):
        model.train()
        optimizer.zero_grad()
        for i, (x, y) in enumerate(loader):
            boundary = (i + 1) % accum == 0 or i + 1 == n
            window = accum if i < n // accum * accum else n % accum
            logits = model(x.to(rank))
            loss = F.cross_entropy(logits, y.to(rank)) / window
            with contextlib.nullcontext() if boundary else model.no_sync():
                loss.backward()
            if boundary:
                optimizer.step()
                optimizer.zero_grad()
        scheduler.step()
