"""A doorman keeps the network's door shut for all but the last of each group; he comes after the guests."""
import contextlib
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

GROUP = 3


def evening(ddp, opt, guests, record):
    noise = 0.0
    for number, (x, y) in enumerate(guests, start=1):
        last = number % GROUP == 0 or number == len(guests)
        loss = nn.functional.mse_loss(ddp(x), y)
        noise = 0.9 * noise + 0.1 * loss.item()
        with contextlib.ExitStack() as door:
            if not last:
                door.enter_context(ddp.no_sync())
            (loss / GROUP).backward()
        if last:
            opt.step()
            record(list(ddp.parameters()))
            opt.zero_grad()
    return noise


def train(record):
    torch.manual_seed(600)
    with tempfile.NamedTemporaryFile() as store:
        dist.init_process_group("gloo", init_method=f"file://{store.name}", world_size=1, rank=0)
        try:
            ddp = DistributedDataParallel(nn.Sequential(nn.Linear(3, 7), nn.Tanh(), nn.Linear(7, 1)))
            opt = torch.optim.SGD(ddp.parameters(), lr=0.3)
            guests = [(x, x.mean(1, keepdim=True).sin()) for x in torch.randn(11, 9, 3)]
            for _ in range(5):
                if evening(ddp, opt, guests, record) > 5.0:
                    break
        finally:
            dist.destroy_process_group()


if __name__ == "__main__":
    train(lambda parameters: None)
