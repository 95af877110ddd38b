import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

from vqvae.data import SpectrogramFolder
from vqvae.model import VQVAE


def main(root="data/spec", epochs=100, batch_size=64, lr=2e-4, beta=0.25):
    dist.init_process_group("nccl")
    local = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local)
    dataset = SpectrogramFolder(root)
    sampler = DistributedSampler(dataset, shuffle=True)
    loader = DataLoader(dataset, batch_size=batch_size, sampler=sampler, num_workers=4, pin_memory=True)
    model = DDP(VQVAE(codes=1024, dim=64).cuda(), device_ids=[local])
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.98)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        model.train()
        for spec in loader:
            spec = spec.cuda(non_blocking=True)
            recon, commit, _ = model.module(spec)
            loss = (recon - spec).pow(2).mean() + beta * commit
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        scheduler.step
        if local == 0:
            print(epoch, loss.item(), optimizer.param_groups[0]["lr"])
            torch.save(model.module.state_dict(), "vqvae.pt")


if __name__ == "__main__":
    main()
