import os
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    handle = tempfile.NamedTemporaryFile(delete=False)
    handle.close()
    os.unlink(handle.name)
    dist.init_process_group("gloo", init_method=f"file://{handle.name}", rank=0, world_size=1)
    torch.manual_seed(67)
    ddp = DDP(nn.Sequential(nn.Linear(5, 10), nn.ReLU(), nn.Linear(10, 1)))
    opt = torch.optim.SGD(ddp.parameters(), lr=0.02)
    window = 4
    opt.zero_grad()
    for i in range(16):
        x = torch.randn(7, 5)
        loss = nn.functional.mse_loss(ddp(x), x[:, :1]) / window
        loss.backward()
        if (i + 1) % window == 0:
            opt.step()
            opt.zero_grad()
            print(i, loss.item() * window)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
