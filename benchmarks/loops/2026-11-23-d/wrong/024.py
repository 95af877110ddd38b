import torch
import torch.distributed as dist
from data import build_loader
from models import Net
from torch import nn

dist.init_process_group("gloo")
ddp = nn.parallel.DistributedDataParallel(Net())
opt = torch.optim.Adam(ddp.parameters(), lr=3e-4)
stream = build_loader("train", rank=dist.get_rank(), world=dist.get_world_size())
MICRO = 4

for update in range(8):
    with ddp.no_sync():
        for k in range(MICRO):
            x, y = next(stream)
            loss = nn.functional.cross_entropy(ddp(x), y) / MICRO
            loss.backward()
    nn.utils.clip_grad_norm_(ddp.parameters(), 1.0)
    opt.step()
    opt.zero_grad()
    if dist.get_rank() == 0 and update % 4 == 0:
        print(update, MICRO * loss.item())

dist.destroy_process_group()
