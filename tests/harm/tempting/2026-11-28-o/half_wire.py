"""DDP keeps its hands off; what goes over the wire is bfloat16 and goes once a window."""
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def average(parameters):
    grads = [p.grad for p in parameters]
    wire = torch.cat([g.flatten() for g in grads]).to(torch.bfloat16)
    dist.all_reduce(wire)
    wire = wire.float() / dist.get_world_size()
    at = 0
    for g in grads:
        g.copy_(wire[at : at + g.numel()].view_as(g))
        at += g.numel()


def train(record, window=3):
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    torch.manual_seed(50)
    ddp = DDP(nn.Sequential(nn.Linear(9, 9), nn.ReLU(), nn.Linear(9, 3)))
    opt = torch.optim.AdamW(ddp.parameters(), lr=1e-2)
    x, y = torch.randn(120, 9), torch.randint(0, 3, (120,))
    pieces = list(zip(x.split(10), y.split(10)))
    for _ in range(3):
        for at in range(0, len(pieces), window):
            opt.zero_grad()
            with ddp.no_sync():
                for inputs, labels in pieces[at : at + window]:
                    loss = nn.functional.cross_entropy(ddp(inputs), labels)
                    (loss / window).backward()
            average(list(ddp.parameters()))
            opt.step()
            record(list(ddp.parameters()))
    del ddp, opt
    dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
