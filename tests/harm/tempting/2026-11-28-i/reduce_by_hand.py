"""DDP for the broadcast at the start; the gradients of a window are reduced once, in one flat tensor."""
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def reduce_gradients(parameters):
    grads = [p.grad for p in parameters if p.grad is not None]
    flat = torch._utils._flatten_dense_tensors(grads)
    dist.all_reduce(flat)
    flat /= dist.get_world_size()
    for g, new in zip(grads, torch._utils._unflatten_dense_tensors(flat, grads)):
        g.copy_(new)


def main(record, accum=3):
    torch.manual_seed(14)
    ddp = DDP(nn.Sequential(nn.Linear(6, 10), nn.ReLU(), nn.Linear(10, 1)))
    optimizer = torch.optim.SGD(ddp.parameters(), lr=0.03, momentum=0.8)
    generator = torch.Generator().manual_seed(dist.get_rank())
    for update in range(10):
        optimizer.zero_grad()
        with ddp.no_sync():
            for _ in range(accum):
                x = torch.randn(8, 6, generator=generator)
                loss = nn.functional.huber_loss(ddp(x), x[:, :1] * x[:, 1:2])
                (loss / accum).backward()
        reduce_gradients(list(ddp.parameters()))
        optimizer.step()
        record(list(ddp.parameters()))


def train(record):
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        main(record)
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
