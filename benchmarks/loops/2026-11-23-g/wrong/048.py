import os
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class VAE(nn.Module):
    def __init__(self, dim=10, latent=3):
        super().__init__()
        self.enc = nn.Linear(dim, 2 * latent)
        self.dec = nn.Linear(latent, dim)

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, -1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar

    def elbo(self, x):
        recon, mu, logvar = self.forward(x)
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(-1)
        return ((recon - x).pow(2).sum(-1) + kl).mean()


def shard(rank, n=40, bs=8):
    g = torch.Generator().manual_seed(rank)
    yield from torch.randn(n, 10, generator=g).split(bs)


def launch():
    rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    if "MASTER_ADDR" in os.environ:
        dist.init_process_group("gloo")
    else:
        path = tempfile.NamedTemporaryFile(delete=False).name
        dist.init_process_group("gloo", init_method=f"file://{path}", rank=rank, world_size=world)
    torch.manual_seed(0)
    vae = DDP(VAE())
    opt = torch.optim.Adam(vae.parameters(), lr=5e-3)
    for epoch in range(3):
        for x in shard(rank):
            opt.zero_grad()
            loss = vae.module.elbo(x)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(vae.parameters(), 5.0)
            opt.step()
        if rank == 0:
            print("epoch", epoch, "elbo", loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    launch()
