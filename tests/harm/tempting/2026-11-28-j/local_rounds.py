"""Each rank walks alone for some steps; then the ranks agree on the mean of where they have come to."""
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

LOCAL, ROUNDS = 4, 5


def agree(outer, start, params):
    """The way that was walked, averaged, is the gradient of the outer optimizer."""
    for p, old in zip(params, start):
        way = old - p.detach()
        dist.all_reduce(way)
        p.data.copy_(old)
        p.grad = way / dist.get_world_size()
    outer.step()
    outer.zero_grad()


def train(record):
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    torch.manual_seed(37)
    ddp = DDP(nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 3)))
    params = list(ddp.parameters())
    inner = torch.optim.AdamW(params, lr=0.01)
    outer = torch.optim.SGD(params, lr=0.7, momentum=0.6, nesterov=True)
    for _ in range(ROUNDS):
        start = [p.detach().clone() for p in params]
        with ddp.no_sync():
            for _ in range(LOCAL):
                x = torch.randn(12, 6)
                inner.zero_grad()
                nn.functional.cross_entropy(ddp(x), x[:, ::2].argmax(1)).backward()
                inner.step()
                record(params)
        agree(outer, start, params)
        record(params)
    dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
