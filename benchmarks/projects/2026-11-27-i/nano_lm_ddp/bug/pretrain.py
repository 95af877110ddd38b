import tempfile

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.optim.lr_scheduler import CosineAnnealingLR

from evals import estimate_loss
from lm import LM
from micro import micro_step
from sync import grad_sync

# I/O
eval_interval = 4
eval_iters = 3
# data
block_size = 16
batch_size = 8
# optimisation
grad_accum = 4
max_updates = 12
learning_rate = 3e-3

dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/store", rank=0, world_size=1)
torch.manual_seed(1337)
stream = (torch.arange(4000) * 7 % 31).long()
split = {"train": stream[:3600], "val": stream[3600:]}


def get_batch(name):
    data = split[name]
    ix = torch.randint(len(data) - block_size - 1, (batch_size,))
    x = torch.stack([data[i : i + block_size] for i in ix])
    y = torch.stack([data[i + 1 : i + 1 + block_size] for i in ix])
    return x, y


raw_model = LM(block_size=block_size)
model = DDP(raw_model)
optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate, betas=(0.9, 0.95))
scheduler = CosineAnnealingLR(optimizer, T_max=max_updates)

for update in range(max_updates):
    if update % eval_interval == 0:
        print(f"update {update}: val {estimate_loss(raw_model, get_batch, eval_iters):.4f}")
    for micro in range(grad_accum):
        with grad_sync(model, micro, grad_accum):
            loss = micro_step(model, get_batch("train"), grad_accum, scheduler)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    print(f"  {update}: loss {loss:.4f} lr {scheduler.get_last_lr()[0]:.2e}")

dist.destroy_process_group()
