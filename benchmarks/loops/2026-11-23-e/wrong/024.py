import contextlib
import os
import tempfile

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


class VAE(nn.Module):
    def __init__(self, d=16, z=3):
        super().__init__()
        self.enc = nn.Linear(d, 2 * z)
        self.dec = nn.Sequential(nn.Linear(z, 16), nn.ReLU(), nn.Linear(16, d))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, -1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(-1).mean()
        return self.dec(z), kl


def init():
    rank = int(os.environ.get("RANK", 0))
    world = int(os.environ.get("WORLD_SIZE", 1))
    if world == 1:
        f = tempfile.mktemp()
        dist.init_process_group("gloo", init_method=f"file://{f}", rank=rank, world_size=world)
    else:
        dist.init_process_group("gloo")
    return rank


def main(updates=10, micro=4):
    rank = init()
    torch.manual_seed(rank)
    model = DDP(VAE())
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)

    for u in range(updates):
        opt.zero_grad(set_to_none=True)
        for m in range(micro):
            x = torch.rand(8, 16)
            recon, kl = model(x)
            loss = ((recon - x) ** 2).sum(-1).mean() + 0.1 * kl
            is_last = m == micro - 1
            with contextlib.nullcontext() if is_last else model.no_sync():
                (loss / micro).backward()
        opt.step()
        if rank == 0 and u % 5 == 0:
            print(u, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
