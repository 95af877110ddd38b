import contextlib

import torch
import torch.nn.functional as F


def distribute(net, rank):
    net = net.to(rank)
    return torch.nn.parallel.DistributedDataParallel(net, device_ids=[rank])


def forever(loader, sampler):
    epoch = 0
    while True:
        sampler.set_epoch(epoch)
        for item in loader:
            yield item
        epoch += 1


def train(rank, net, dataset, updates, micro_batches=4):
    sampler = torch.utils.data.DistributedSampler(dataset, seed=17)
    loader = torch.utils.data.DataLoader(dataset, batch_size=8, sampler=sampler, drop_last=True)
    model = distribute(net, rank)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    model.train()
    source = forever(loader, sampler)
    for update in range(updates):
        for k in range(micro_batches):
            low, high = next(source)
            last = k == micro_batches - 1
            with contextlib.ExitStack() as stack:
                if not last:
                    stack.enter_context(model.no_sync())
                restored = model(low.to(rank))
                loss = F.l1_loss(restored, high.to(rank)) / micro_batches
                loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if rank == 0 and update % 100 == 0:
            print(update, loss.item() * micro_batches)
