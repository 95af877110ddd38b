import os
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

from speedrun.data import distributed_token_batches
from speedrun.model import Transformer
from speedrun.optim import make_param_groups


@dataclass
class Hyper:
    tokens_per_step: int = 524_288
    micro_batch: int = 16
    seq_len: int = 1024
    steps: int = 5100
    cooldown: int = 1450
    lr: float = 3.6e-3


def lr_scale(hp: Hyper, step: int) -> float:
    remaining = hp.steps - step
    return 1.0 if remaining > hp.cooldown else remaining / hp.cooldown


def main(hp: Hyper) -> None:
    dist.init_process_group("nccl")
    rank, world = dist.get_rank(), dist.get_world_size()
    local = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local)
    micro_steps = hp.tokens_per_step // (hp.micro_batch * hp.seq_len * world)

    raw_model = Transformer(vocab=50304, layers=12, dim=768).cuda()
    model = DDP(torch.compile(raw_model), device_ids=[local])
    optimizer = torch.optim.AdamW(make_param_groups(raw_model), lr=hp.lr, betas=(0.9, 0.95), fused=True)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: lr_scale(hp, s))
    train = distributed_token_batches("fineweb", hp.micro_batch, hp.seq_len, rank, world)

    model.train()
    for step in range(hp.steps):
        running = torch.zeros(1, device=local)
        for micro in range(micro_steps):
            raw_model.require_backward_grad_sync = micro + 1 == micro_steps
            x, y = next(train)
            with torch.autocast("cuda", dtype=torch.bfloat16):
                loss = model(x, y) / micro_steps
            running += loss.detach()
            loss.backward()
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad(set_to_none=True)
        if step % 50 == 0:
            dist.all_reduce(running, op=dist.ReduceOp.AVG)
            if rank == 0:
                print(f"{step}/{hp.steps} {running.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main(Hyper())
