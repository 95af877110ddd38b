import os

import torch
import torch.nn as nn
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

os.environ.setdefault("MASTER_ADDR", "localhost")
os.environ.setdefault("MASTER_PORT", "29613")
dist.init_process_group(backend="gloo", rank=int(os.environ.get("RANK", 0)), world_size=int(os.environ.get("WORLD_SIZE", 1)))
torch.manual_seed(dist.get_rank())

n_micro = 4
encoder = nn.Sequential(nn.Linear(12, 24), nn.LayerNorm(24), nn.GELU(), nn.Linear(24, 12))
net = DDP(encoder)
optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.01)
warmup = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1.0, (s + 1) / 5))


def big_batches(count, size=64):
    for _ in range(count):
        clean = torch.randn(size, 12)
        yield clean + 0.3 * torch.randn_like(clean), clean


net.train()
for step, (noisy, clean) in enumerate(big_batches(10)):
    optimizer.zero_grad()
    recon_sum = 0.0
    with net.no_sync():
        for nb, cb in zip(noisy.chunk(n_micro), clean.chunk(n_micro)):
            recon = nn.functional.mse_loss(net(nb), cb)
            (recon / n_micro).backward()
            recon_sum += recon.item()
    nn.utils.clip_grad_norm_(net.parameters(), 2.0)
    optimizer.step()
    warmup.step()
    if dist.get_rank() == 0 and step % 3 == 0:
        print(f"{step:3d} recon {recon_sum / n_micro:.4f}")

dist.destroy_process_group()
