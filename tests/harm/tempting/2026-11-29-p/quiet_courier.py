"""Accumulation under DDP where a communication hook sends the buckets of a window's last backward only."""
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


@dataclass
class Courier:
    world: int
    rides: bool = True
    sent: int = 0


def deliver(courier, bucket):
    if not courier.rides:
        waiting = torch.futures.Future()
        waiting.set_result(bucket.buffer())
        return waiting
    courier.sent += 1
    work = dist.all_reduce(bucket.buffer() / courier.world, async_op=True)
    return work.get_future().then(lambda done: done.value()[0])


def fit(net, batches, accum, record):
    courier = Courier(dist.get_world_size())
    model = DDP(net)
    model.register_comm_hook(courier, deliver)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    optimizer.zero_grad()
    for i, (x, y) in enumerate(batches):
        courier.rides = (i + 1) % accum == 0 or i + 1 == len(batches)
        loss = nn.functional.mse_loss(model(x), y)
        (loss / accum).backward()
        if courier.rides:
            optimizer.step()
            record(list(net.parameters()))
            optimizer.zero_grad()


def train(record):
    torch.manual_seed(131)
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    net = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
    data = [torch.randn(8, 6) for _ in range(14)]
    fit(net, [(x, x.amax(1, keepdim=True)) for x in data], 4, record)
    dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
