import contextlib
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def run(rank=0, world=1):
    tmp = tempfile.mkdtemp()
    dist.init_process_group("gloo", init_method=f"file://{tmp}/rdzv", rank=rank, world_size=world)
    torch.manual_seed(125)
    ddp = DDP(nn.Sequential(nn.Linear(5, 10), nn.Tanh(), nn.Linear(10, 3)))
    opt = torch.optim.SGD(ddp.parameters(), lr=0.1)
    batches = [(torch.randn(8, 5), torch.randint(0, 3, (8,))) for _ in range(10)]
    window = 3
    for epoch in range(2):
        right = 0
        for i, (x, y) in enumerate(batches):
            with torch.no_grad():
                right += (ddp.module(x).argmax(1) == y).sum().item()
            sync = (i + 1) % window == 0 or i + 1 == len(batches)
            with contextlib.ExitStack() as stack:
                if not sync:
                    stack.enter_context(ddp.no_sync())
                loss = nn.functional.cross_entropy(ddp(x), y)
                (loss / window).backward()
            if sync:
                opt.step()
                opt.zero_grad()
        print(epoch, right / 80, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    run()
