import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler

from stylelite.data import FFHQ
from stylelite.nets import MappingSynthesis, ResidualDiscriminator


def main(root="ffhq", epochs=500, batch=8):
    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    data = FFHQ(root, 256)
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch, sampler=sampler, drop_last=True, num_workers=6)
    gen = DDP(MappingSynthesis(256).cuda(), device_ids=[rank], broadcast_buffers=False)
    disc = DDP(ResidualDiscriminator(256).cuda(), device_ids=[rank], broadcast_buffers=False)
    opt_g = torch.optim.Adam(gen.parameters(), lr=2e-3, betas=(0.0, 0.99))
    opt_d = torch.optim.Adam(disc.parameters(), lr=2e-3, betas=(0.0, 0.99))
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for real in loader:
            real = real.cuda()
            z = torch.randn(len(real), 512, device=real.device)
            disc.requires_grad_(True)
            with torch.no_grad():
                fake = gen(z)
            loss_d = F.softplus(disc(fake)).mean() + F.softplus(-disc(real)).mean()
            opt_d.zero_grad(set_to_none=True)
            loss_d.backward()
            opt_d.step()

            disc.requires_grad_(False)
            loss_g = F.softplus(-disc(gen(z))).mean()
            opt_g.zero_grad(set_to_none=True)
            loss_g.backward()
            opt_g.step()
        if rank == 0:
            print(f"{epoch} D {loss_d.item():.3f} G {loss_g.item():.3f}")
            torch.save(gen.module.state_dict(), "gen.pt")


if __name__ == "__main__":
    main()
