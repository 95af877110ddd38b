import contextlib
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler

from vae.data import Sprites
from vae.model import VAE


@contextlib.contextmanager
def inference(net):
    was_training = net.training
    net.eval()
    try:
        with torch.no_grad():
            yield net
    finally:
        net.train(was_training)


def beta(step, warm=5000):
    return min(1.0, step / warm)


def main(args):
    dist.init_process_group("nccl")
    local = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local)
    ddp = DDP(VAE(args.latent).cuda(), device_ids=[local])
    optimizer = torch.optim.Adamax(ddp.module.parameters(), lr=args.lr)
    dataset = Sprites(args.root)
    sampler = DistributedSampler(dataset, shuffle=True)
    loader = DataLoader(dataset, args.batch, sampler=sampler, num_workers=4)
    fixed = torch.randn(16, args.latent, device="cuda")

    ddp.train()
    step = 0
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for (images,) in loader:
            recon, kl = ddp(images.cuda(non_blocking=True))
            loss = recon + beta(step) * kl
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            step += 1
            if step % args.sample_every == 0:
                with inference(ddp.module) as net:
                    grid = net.decode(fixed)
                if local == 0:
                    torch.save(grid.cpu(), f"{args.out}/{step}.pt")
        if local == 0:
            torch.save(ddp.module.state_dict(), f"{args.out}/last.pt")
        dist.barrier()
