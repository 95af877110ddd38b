import tempfile

import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/k", rank=0, world_size=1)
torch.manual_seed(43)
model = nn.parallel.DistributedDataParallel(nn.Linear(6, 3))
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
steps = 4
for u in range(4):
    for micro in range(steps):
        model.require_backward_grad_sync = micro == steps - 1
        x = torch.randn(5, 6)
        (nn.functional.cross_entropy(model(x), x[:, :3].argmax(1)) / steps).backward()
    opt.step()
    opt.zero_grad(set_to_none=True)
dist.destroy_process_group()
