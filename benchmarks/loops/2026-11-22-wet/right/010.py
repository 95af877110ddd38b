import os

import torch
from torch.nn.parallel import DistributedDataParallel as DDP

from gpt import GPT, get_batch

grad_accum_steps = 8
max_iters = 5000
grad_clip = 1.0

torch.distributed.init_process_group(backend="nccl")
local_rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local_rank)

model = GPT.from_config("small").cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=6e-4, betas=(0.9, 0.95))
model = DDP(model, device_ids=[local_rank])
scaler = torch.cuda.amp.GradScaler()

X, Y = get_batch("train", local_rank)
iter_num = 0
while True:
    for micro_step in range(grad_accum_steps):
        model.require_backward_grad_sync = micro_step == grad_accum_steps - 1
        with torch.autocast("cuda", dtype=torch.float16):
            _, loss = model(X, Y)
            loss = loss / grad_accum_steps
        X, Y = get_batch("train", local_rank)
        scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)

    if iter_num % 10 == 0 and local_rank == 0:
        print(f"iter {iter_num}: loss {loss.item() * grad_accum_steps:.4f}")
    iter_num += 1
    if iter_num > max_iters:
        break
torch.distributed.destroy_process_group()
