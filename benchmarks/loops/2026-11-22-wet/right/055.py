import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler

from finance import LOBDataset, OrderBookNet


def setup():
    dist.init_process_group("gloo")
    return int(os.environ["RANK"])


def main(epochs=15):
    rank = setup()
    dataset = LOBDataset("2019")
    sampler = DistributedSampler(dataset, shuffle=False)
    loader = DataLoader(dataset, batch_size=512, sampler=sampler)
    model = DistributedDataParallel(OrderBookNet(levels=10))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    criterion = torch.nn.CrossEntropyLoss()

    for epoch in range(epochs):
        model.train()
        hits = torch.zeros(2)
        for book, movement in loader:
            optimizer.zero_grad()
            logits = model(book)
            loss = criterion(logits, movement)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            hits += torch.tensor([(logits.argmax(1) == movement).sum().item(), movement.numel()])
        dist.all_reduce(hits)
        if rank == 0:
            print(epoch, (hits[0] / hits[1]).item())
    dist.destroy_process_group()


main()
